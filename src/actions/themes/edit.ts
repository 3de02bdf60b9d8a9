import { Type } from 'typebox'
import { checkFileText, fileLimits, isBinary } from '../../themes/theme-path.ts'
import { applyEdits, type Edit } from '../../content/markdown/edits.ts'
import { checkScripts, isVouched, scriptIn, vouchedBy } from '../../themes/scripts.ts'
import { getTheme } from '../../themes/theme-store.ts'
import { boundedInteger, boundedText, closed, nonEmptyText, severalOf } from '../../base/schema.ts'
import { Failure } from '../../base/failure.ts'
import type { Theme } from '../../themes/theme.ts'
import { addsToBase } from '../../themes/over-base.ts'
import { action, type WriteContext } from '../call/action.ts'
import { checkChange, getOwnTheme, type Writing } from './changing.ts'
import { fileProperty, idProperty, renderedWrite } from './item.ts'
import { noOwnFile, written } from './own-file.ts'
import { slipWarnings } from './slips.ts'

const oneEdit = Type.Object(
  {
    find: Type.Optional(nonEmptyText('Exact text to replace; needs `replace`.', fileLimits.textBytes)),
    replace: Type.Optional(boundedText('The text in its place.', fileLimits.textBytes)),
    expect: Type.Optional(boundedInteger('How often `find` must occur. The default is 1.', 1, 100_000)),
    append: Type.Optional(boundedText('Text to add at the end of the file.', fileLimits.textBytes)),
    prepend: Type.Optional(boundedText('Text to add at the start.', fileLimits.textBytes)),
  },
  { additionalProperties: false, description: 'One of {find, replace, expect}, {append}, {prepend}.' },
)

export const edit = action('SVC_Themes.edit', {
  title: 'Change a file of [the theme {title}|a theme]',
  summary: 'Makes exact changes in a file of a theme. On the active theme, every kind of page is rendered first.',
  did: 'changed a file of [the theme {title}|a theme]',
  ...renderedWrite,
  effect: 'write',
  input: closed({
    id: idProperty,
    file: fileProperty,
    edits: severalOf(oneEdit, 'Applied one after the other: all or none.', 50),
  }),
  examples: [
    {
      title: 'A line above every page',
      input: {
        id: 'my-theme',
        file: 'layout.liquid',
        edits: [{ find: '{% block main %}', replace: '<p>{{ site.tagline }}</p>\n{% block main %}' }],
      },
    },
  ],
  async prepare(context, { id, file, edits }) {
    const theme = await getOwnTheme(context, id)
    const text = await edited(theme, file, edits as readonly Edit[], context)
    checkFileText(file, text)
    checkScripts(context.caller, file, text)
    checkAdded(theme, file, text)
    const checked = await checkChange(context, theme, { files: new Map([[file, text]]) })
    return checked && { ...checked, warnings: await slipWarnings(context, file, text, theme.files.get(file)) }
  },
  async run(context, { id, file, edits }, prepared) {
    const theme = await getTheme(context.db, id)
    const text = await edited(theme, file, edits as readonly Edit[], context)
    // A caller who changes a part of a file doesn't vouch for the rest. A file without a row is the base's, which is trusted.
    const vouching: Writing['vouching'] = (_path, whole, row) => (!row || isVouched(row) ? vouchedBy(context.caller, whole) : '')
    return written(context, id, new Map([[file, text]]), { prepared, vouching })
  },
})

/** @throws Failure `refused` for a script in a file of a writer with limits, because every page would leave it out */
function checkAdded({ limited }: Theme, file: string, text: string): void {
  const found = limited.has(file) ? scriptIn(file, text) : undefined
  if (found === undefined) return
  throw new Failure('refused', `${file} was written by someone with limits, so ${found} in it would be left out of every page.`, {
    rule: 'what runs in a browser is written by an admin without limits',
    field: 'edits',
    hint: 'Read the file, and write the whole of it with SVC_Themes.write.',
  })
}

/** @throws Failure `not_found` for a missing file, `conflict` if `find` doesn't occur as often as expected */
async function edited(theme: Theme, file: string, edits: readonly Edit[], { site }: Pick<WriteContext, 'site'>): Promise<string> {
  // A file that extends the base's file begins empty, because a copy would be added to the original.
  const text = theme.own.get(file) ?? (addsToBase(file) ? undefined : theme.files.get(file))
  if (text === undefined) throw noOwnFile(theme, file)
  if (isBinary(file)) throw new Failure('unprocessable', `${file} is no text. Write it anew with SVC_Themes.write.`, { file })
  const { body } = await applyEdits({ title: '', body: text, excerpt: '' }, edits, site.renderer)
  return body.toWellFormed()
}

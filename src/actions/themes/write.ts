import { type Static, Type } from 'typebox'
import { checkScripts } from '../../themes/scripts.ts'
import { checkFileText, checkThemePath, fileLimits, isBinary, maxTextLength } from '../../themes/theme-path.ts'
import { boundedText, closed } from '../../base/schema.ts'
import { invalid } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { checkChange, getOwnTheme } from './changing.ts'
import { fileProperty, idProperty, renderedWrite } from './item.ts'
import { written } from './own-file.ts'
import { slipWarnings } from './slips.ts'

const request = closed({
  id: idProperty,
  file: fileProperty,
  text: Type.Optional(boundedText('The whole file.', fileLimits.textBytes)),
  base64: Type.Optional(boundedText('Instead, for images and fonts: the bytes in base64.', maxTextLength)),
})

export const write = action('SVC_Themes.write', {
  title: 'Write a file of [the theme {title}|a theme]',
  summary: 'Writes a file of a theme. On the active theme, every kind of page is rendered first.',
  did: 'wrote a file of [the theme {title}|a theme]',
  ...renderedWrite,
  effect: 'write',
  input: request,
  examples: [
    {
      title: 'A partial of its own',
      input: { id: 'my-theme', file: 'partials/note.liquid', text: '<p class="note">{{ site.tagline }}</p>\n' },
    },
  ],
  async prepare(context, input) {
    const { id, file } = input
    const text = textGiven(input)
    checkThemePath(file)
    checkFileText(file, text)
    checkScripts(context.caller, file, text)
    const theme = await getOwnTheme(context, id)
    const checked = await checkChange(context, theme, { files: new Map([[file, text]]) })
    return checked && { ...checked, warnings: await slipWarnings(context, file, text) }
  },
  run: (context, input, prepared) => written(context, input.id, new Map([[input.file, textGiven(input)]]), { prepared }),
})

/**
 * Returns the text of the file in the form of its row. @throws Failure `invalid` unless it is given in the one form that fits the
 * file
 */
function textGiven({ file, text, base64 }: Static<typeof request>): string {
  const way = isBinary(file) ? 'base64' : 'text'
  const given = way === 'base64' ? base64 : text
  if (given !== undefined && (text === undefined || base64 === undefined))
    return way === 'base64' ? given.replace(/\s+/g, '') : given.toWellFormed()
  throw invalid(
    way,
    `${JSON.stringify(file)} is written as \`${way}\`, and in no other way.`,
    way === 'base64' ? 'the bytes in base64' : 'the text of the file',
  )
}

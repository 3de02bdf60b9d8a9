// SVC_Themes.list, get, read and check.

import { Type } from 'typebox'
import { notFound } from '../../../failure.ts'
import { bytesOf, type Theme } from '../../../themes/theme.ts'
import { isBinary } from '../../../themes/theme-path.ts'
import { findThemeRow, getTheme, listFileRows, listThemes } from '../../../themes/theme-store.ts'
import { action, type Context } from '../../action.ts'
import { getSnapshot, revisionNumber } from '../revision-list.ts'
import { adoptThemes } from '../../adopt-files.ts'
import { fileProperty, idProperty, leanItem, leanOf, problemsProperty, wholeItem, wholeOf } from './item.ts'
import { closed } from '../../../schema.ts'

export const beforeReading = async (context: Context): Promise<void> => adoptThemes(context)

export const list = action('SVC_Themes.list', {
  title: 'List the themes',
  summary: 'Lists the themes, and which of them visitors see.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed({}),
  output: Type.Object({ items: Type.Array(leanItem) }),
  examples: [{ title: 'All of them', input: {} }],
  prepare: beforeReading,
  async run({ db }) {
    const found = await listThemes(db)
    return { items: await Promise.all(found.map(async ({ slug, row }) => leanOf(await getTheme(db, slug), row))) }
  },
})

export const get = action('SVC_Themes.get', {
  title: 'Show a theme',
  summary: 'Shows a theme: its files, its settings with their values, and where it shows menus.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({ id: idProperty }),
  output: Type.Object({ item: wholeItem }),
  examples: [{ title: 'The shipped theme', input: { id: 'default' } }],
  prepare: beforeReading,
  async run({ db }, { id }) {
    const theme = await getTheme(db, id)
    const rows = theme.shipped ? [] : await listFileRows(db, id)
    const revisions = new Map(rows.map(({ path, revision }) => [path, revision]))
    return { item: wholeOf(theme, await findThemeRow(db, id), revisions) }
  },
})

/** The limit of a part of a file. No answer may be longer than 80 KB, and JSON escapes line ends and quotation marks. */
const maxShownChars = 30_000

export const read = action('SVC_Themes.read', {
  title: 'Read a file of a theme',
  summary: 'Reads a file of a theme, or an earlier revision of it.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({
    id: idProperty,
    file: fileProperty,
    revision: Type.Optional(revisionNumber('An earlier revision of the file.')),
    from: Type.Optional(
      Type.Integer({ description: 'The line to begin with; the default is 1.', minimum: 1, maximum: 1_000_000 }),
    ),
  }),
  output: Type.Object({
    file: Type.String(),
    revision: Type.Union([Type.Integer(), Type.Null()], { description: 'Null for a file of a shipped theme.' }),
    base: Type.Optional(Type.String({ description: 'The theme from which the file comes; left out for a file of its own.' })),
    bytes: Type.Integer(),
    text: Type.String({ description: 'Empty for images and fonts.' }),
    truncated: Type.Boolean(),
    next: Type.Optional(Type.Integer({ description: 'The line to continue `from`.' })),
  }),
  examples: [{ title: 'The page template', input: { id: 'default', file: 'page.liquid' } }],
  prepare: beforeReading,
  async run({ db }, { id, file, revision, from = 1 }) {
    const theme = await getTheme(db, id)
    const found = revision === undefined ? await currentFile(db, theme, file) : await earlierFile(db, id, file, revision)
    const bytes = bytesOf(file, found.text).byteLength
    const inherited = revision === undefined && theme.base !== undefined && !theme.own.has(file)
    const about = { file, revision: found.revision, bytes, ...(inherited && { base: theme.base }) }
    if (isBinary(file)) return { ...about, text: '', truncated: false }
    return { ...about, ...partOf(found.text, from) }
  },
})

async function currentFile(db: Context['db'], { slug: id, own, files }: Theme, file: string) {
  const text = own.get(file) ?? files.get(file)
  if (text === undefined) throw notFound('file', file, `SVC_Themes.get ${JSON.stringify({ id })} lists the files.`)
  const row = await db.selectFrom('theme_file').select('revision').where('id', '=', `${id}/${file}`).executeTakeFirst()
  return { text, revision: row?.revision ?? null }
}

/** @throws Failure `not_found` */
export async function earlierFile(db: Context['db'], id: string, file: string, revision: number) {
  const snapshot = await getSnapshot(db, 'theme_revision', `${id}/${file}`, revision)
  const { text, vouched = null } = JSON.parse(snapshot) as { readonly text: string; readonly vouched?: string | null }
  return { text, vouched, revision }
}

/** Returns whole lines from a line on, as many as fit into an answer. */
function partOf(text: string, from: number): { text: string; truncated: boolean; next?: number } {
  const lines = text.split('\n')
  const shown: string[] = []
  let chars = 0
  for (const line of lines.slice(from - 1)) {
    chars += line.length + 1
    if (chars > maxShownChars && shown.length > 0) break
    shown.push(line.slice(0, maxShownChars))
  }
  const next = from + shown.length
  const truncated = next <= lines.length
  return { text: shown.join('\n'), truncated, ...(truncated ? { next } : {}) }
}

export const check = action('SVC_Themes.check', {
  title: 'Check a theme',
  summary: 'Renders every kind of page in a theme, with entries of the site and with made data, and tells what fails.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({ id: idProperty }),
  output: Type.Object({ problems: problemsProperty }),
  examples: [{ title: 'The shipped theme', input: { id: 'default' } }],
  prepare: beforeReading,
  async run({ db, site, origin }, { id }) {
    return { problems: [...(await site.themeCheck(site, await getTheme(db, id), origin))] }
  },
})

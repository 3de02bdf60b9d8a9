import { Type } from 'typebox'
import { bytesOf, type Theme } from '../../themes/theme.ts'
import { isBinary } from '../../themes/theme-path.ts'
import { getTheme } from '../../themes/theme-store.ts'
import { boundedInteger, closed } from '../../base/schema.ts'
import { notFound } from '../../base/failure.ts'
import { action, type Context } from '../call/action.ts'
import { revisionNumber } from '../shared/revision-list.ts'
import { beforeReading, fileProperty, idProperty } from './item.ts'
import { earlierFile } from './earlier.ts'
import { nullable } from '../call/write-answer.ts'

/** The limit of a part of a file. No answer may be longer than 80 KB, and JSON escapes line ends and quotation marks. */
const maxShownChars = 30_000

export const read = action('SVC_Themes.read', {
  title: 'Read a file of a theme',
  summary: 'Reads a file of a theme, or an earlier revision of it.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    id: idProperty,
    file: fileProperty,
    revision: Type.Optional(revisionNumber('An earlier revision of the file.')),
    from: Type.Optional(boundedInteger('The line to begin with; the default is 1.', 1, 1_000_000)),
    lines: Type.Optional(boundedInteger('How many lines. The default is as many as fit.', 1, 10_000)),
  }),
  output: Type.Object({
    file: Type.String(),
    revision: nullable(Type.Integer(), 'Null for a file of a shipped theme.'),
    base: Type.Optional(Type.String({ description: 'The theme from which the file comes; left out for a file of its own.' })),
    bytes: Type.Integer(),
    text: Type.String({ description: 'Empty for images and fonts.' }),
    truncated: Type.Boolean(),
    next: Type.Optional(Type.Integer({ description: 'The line to continue `from`.' })),
  }),
  examples: [{ title: 'The page template', input: { id: 'default', file: 'page.liquid' } }],
  prepare: beforeReading,
  async run({ db }, { id, file, revision, from = 1, lines }) {
    const theme = await getTheme(db, id)
    const found = revision === undefined ? await currentFile(db, theme, file) : await earlierFile(db, id, file, revision)
    const bytes = bytesOf(file, found.text).byteLength
    const inherited = revision === undefined && theme.base !== undefined && !theme.own.has(file)
    const about = { file, revision: found.revision, bytes, ...(inherited && { base: theme.base }) }
    if (isBinary(file)) return { ...about, text: '', truncated: false }
    return { ...about, ...partOf(found.text, from, lines) }
  },
})

async function currentFile(db: Context['db'], { slug: id, own, files }: Theme, file: string) {
  const text = own.get(file) ?? files.get(file)
  if (text === undefined) throw notFound('file', file, `SVC_Themes.get ${JSON.stringify({ id })} lists the files.`)
  const row = await db.selectFrom('theme_file').select('revision').where('id', '=', `${id}/${file}`).executeTakeFirst()
  return { text, revision: row?.revision ?? null }
}

/** Returns whole lines from a line on, as many as fit into an answer. */
function partOf(text: string, from: number, most = Infinity): { text: string; truncated: boolean; next?: number } {
  const lines = text.split('\n')
  const shown: string[] = []
  let chars = 0
  for (const line of lines.slice(from - 1)) {
    chars += line.length + 1
    if ((chars > maxShownChars && shown.length > 0) || shown.length >= most) break
    shown.push(line.slice(0, maxShownChars))
  }
  const next = from + shown.length
  const truncated = next <= lines.length
  return { text: shown.join('\n'), truncated, ...(truncated ? { next } : {}) }
}

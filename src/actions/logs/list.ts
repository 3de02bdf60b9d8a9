// SVC_Logs.list: the error log as a list. log-reader.ts reads its lines; `where`, `search` and `cursor` work as in every list.

import { type Static, Type } from 'typebox'
import { sql } from 'kysely'
import { cutText } from '../../base/cut-text.ts'
import { logFolder } from '../../base/error-log.ts'
import { Failure } from '../../base/failure.ts'
import { jsonText } from '../../base/json.ts'
import { levels } from '../../base/log.ts'
import { type LogLine, type LogPosition, readLog } from '../../base/log-reader.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { type JsonColumn, jsonRows } from '../../store/core/json-rows.ts'
import { action, type Context } from '../call/action.ts'
import { decodeCursor, encodeCursor } from '../lists/cursor.ts'
import { getField, type ListFields, plainSort, sortable } from '../lists/field.ts'
import { fromStrangers, fromStrangersProperty } from '../shared/from-strangers.ts'
import { listAnswer, type ListInput, listOutput, type ListPage, listProperties } from '../lists/list.ts'
import { compileSearch, wordsIn } from '../lists/search-words.ts'
import { compileWhere } from '../lists/where.ts'
import { nullable } from '../call/write-answer.ts'
import { closed } from '../../base/schema.ts'

const fields: ListFields = {
  at: { column: 'at', kind: 'time', sort: true },
  level: { column: 'level', kind: 'choice', choices: levels },
  source: { column: 'source', kind: 'text' },
  reference: { column: 'reference', kind: 'text', nullable: true },
  plugin: { column: 'plugin', kind: 'text', nullable: true },
  process: { column: 'process', kind: 'text', nullable: true },
}
const usualSort = '-at'

const item = Type.Object({
  id: Type.String(),
  at: Type.String(),
  level: Type.Enum([...levels]),
  source: Type.String({ description: 'plugin:ID, a door (mcp, api, admin, oauth, site, cli), or core.' }),
  reference: nullable(Type.String(), 'The reference that the answer to the failed call named.'),
  message: Type.String(),
  plugin: Type.Optional(Type.String()),
  process: Type.Optional(Type.String({ description: 'Which of several processes wrote it, by number.' })),
  fields: Type.Record(Type.String(), Type.Unknown(), { description: 'The other members of the line.' }),
})

export type LogItem = Static<typeof item>

export const list = action('SVC_Logs.list', {
  title: 'Read the log',
  summary: 'Lists warnings, errors and messages of plugins from the log, newest first.',
  tier: 'admin',
  effect: 'read',
  input: closed(listProperties({ fields, sort: usualSort })),
  output: Type.Object({ ...listOutput(item).properties, ...fromStrangersProperty }),
  examples: [
    { title: 'The latest lines', input: {} },
    { title: 'The line of a reference', input: { where: { reference: '01k8zq4v6m3t5c9e2n7r1x0bfd' } } },
    {
      title: 'Errors of plugins since a given day',
      input: { where: { level: 'error', source: { has: 'plugin:' }, at: { gte: '2026-11-21' } } },
    },
  ],
  async run(context, input: ListInput) {
    const answer = await listAnswer(context, await readPage(context, input), toItem)
    return { ...answer, ...fromStrangers('message', 'fields') }
  },
})

const defaultLimit = 20

/** Reads a page of lines, in the order of writing or reversed. */
async function readPage(context: Context, input: ListInput): Promise<ListPage<LogLine>> {
  const { site, signal } = context
  const { where = {}, search = '', sort: asked = usualSort, limit = defaultLimit, count = false } = input
  const sort = plainSort(asked)
  const newestFirst = sort.startsWith('-')
  getField(fields, sortable(fields), newestFirst ? sort.slice(1) : sort, 'sort', 'sort')
  const matching = await createFilter(context, where, search)
  const identity = { list: 'SVC_Logs', where, search, sort }
  const key = site.key.derive('cursor')
  const after = input.cursor === undefined ? undefined : positionIn(decodeCursor(key, identity, input.cursor))
  const folder = logFolder(site.config.POSTERN_HOME)
  const containing = heldByAll(where)
  const found: LogLine[] = []
  for await (const some of batched(readLog(folder, { newestFirst, after, containing }), signal)) {
    found.push(...(await matching(some)))
    if (found.length > limit) break
  }
  const rows = found.slice(0, limit)
  return {
    rows,
    more: found.length > limit,
    cursorAfter: (at) => encodeCursor(key, identity, cursorPosition(rows[at])),
    ...(count ? { total: await countAll(batched(readLog(folder, { newestFirst, containing }), signal), matching) } : {}),
  }
}

/** Returns a text that all matching lines contain. Most searches are for one reference, so other lines need no parsing. */
function heldByAll({ reference }: { readonly reference?: unknown }): string | undefined {
  return typeof reference === 'string' && /^[\w-]+$/.test(reference) ? reference : undefined
}

const positionIn = ({ value, key }: { value: unknown; key: string | number }): LogPosition => ({
  file: String(value),
  offset: Number(key),
})

function cursorPosition(line: LogLine | undefined): { value: string; key: number } {
  if (!line) throw new RangeError('A cursor stands after a line of its page.')
  return { value: line.next.file, key: line.next.offset }
}

const smallestBatch = 64
const largestBatch = 1024

/**
 * Yields lines in growing batches, because most pages need few lines. @throws Failure `unavailable` if the caller has disconnected
 */
async function* batched(lines: AsyncIterable<LogLine>, signal: AbortSignal): AsyncGenerator<readonly LogLine[]> {
  let batch: LogLine[] = []
  let size = smallestBatch
  for await (const line of lines) {
    batch.push(line)
    if (batch.length < size) continue
    if (signal.aborted) throw new Failure('unavailable', 'The caller left before the log was read.', { retry_after: 5 })
    yield batch
    batch = []
    size = Math.min(size * 2, largestBatch)
  }
  if (batch.length > 0) yield batch
}

type Filter = (lines: readonly LogLine[]) => Promise<readonly LogLine[]>

async function countAll(batches: AsyncIterable<readonly LogLine[]>, matching: Filter): Promise<number> {
  let total = 0
  for await (const some of batches) total += (await matching(some)).length
  return total
}

/** The columns of a line in the query of `createFilter`. */
const columns: readonly JsonColumn[] = [
  { name: 'at', kind: 'number' },
  ...['level', 'source', 'reference', 'plugin', 'process', 'message', 'rest'].map((name) => ({ name, kind: 'text' as const })),
]
const searched = ['message', 'source', 'reference', 'plugin', 'rest']

/**
 * Returns the filter of lines for a `where` and a `search`. The database evaluates them, with the lines as values, so that the
 * rules are the same as in every list.
 * @throws Failure `invalid`
 */
async function createFilter(context: Context, where: unknown, search: string): Promise<Filter> {
  const table = 'log_line'
  const parts = [...(await compileWhere(context, table, fields, where)), ...compileSearch(context.db, table, searched, search)]
  if (parts.length === 0) return async (lines) => lines
  const conditions = parts.map(({ plain }) => plain)
  const words = plainWords(search)
  return async (lines) => {
    const asked = lines.map((line) => ({ line, cells: cellsOf(line) })).filter(({ cells }) => mayHold(cells, words))
    if (asked.length === 0) return []
    const cells = asked.map((one) => one.cells)
    const { rows } = await sql<{ place: number }>`
      select key as place from (${jsonRows(context.db, columns, cells)}) as ${sql.table(table)}
      where ${sql.join(conditions, sql` and `)} order by key`.execute(context.db)
    return rows.flatMap(({ place }) => asked[place]?.line ?? [])
  }
}

type Cells = readonly (string | number | null)[]

const cellsOf = ({ at, level, source, reference, plugin, process, event, fields: rest }: LogLine): Cells => [
  at,
  level,
  source,
  reference,
  plugin,
  process,
  event,
  jsonText(rest),
]

/** Returns the ASCII words of a search, whose letter case is simple. */
const plainWords = (search: string): readonly string[] =>
  wordsIn(search)
    .filter((word) => /^[\x21-\x7e]+$/.test(word))
    .map((word) => word.toLowerCase())

/** True if every word occurs in a line. The database then evaluates only few lines of a large log. */
const mayHold = (cells: Cells, words: readonly string[]): boolean => {
  const text = words.length === 0 ? '' : cells.join(' ').toLowerCase()
  return words.every((word) => text.includes(word))
}

const maxTextLength = 2000
const maxFieldsLength = 16_000

function toItem({ place, at, level, source, reference, event, plugin, process, fields: carried }: LogLine) {
  const shortened = JSON.stringify(carried, (_name, value: unknown) =>
    typeof value === 'string' ? cutText(value, maxTextLength) : value,
  )
  return {
    id: `${place.file}-${place.offset.toString(36)}`,
    at: formatDate(at),
    level,
    source,
    reference,
    message: cutText(event, maxTextLength),
    ...(plugin === null ? {} : { plugin }),
    ...(process === null ? {} : { process }),
    fields: shortened.length > maxFieldsLength ? { truncated: true } : (JSON.parse(shortened) as Record<string, unknown>),
  }
}

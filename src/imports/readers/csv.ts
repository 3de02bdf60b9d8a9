// A table as entries of one type: a row each. The columns are named as fields, or a map says which column fills which field.

import { csvLines } from '../../base/csv.ts'
import { Failure } from '../../base/failure.ts'
import type { ImportFormat, ReadOptions } from '../import-format.ts'
import type { SourceFiles } from '../source-files.ts'
import type { ImportEntry, ImportPart, ImportTermRef, ImportTime } from '../stream.ts'
import { wholeText } from './head-of.ts'
import { plainTitle } from './plain-title.ts'

/** The parts of an entry that a column can fill. */
const parts = [
  'id',
  'title',
  'text',
  'slug',
  'path',
  'address',
  'date',
  'status',
  'tags',
  'categories',
  'excerpt',
  'cover',
  'language',
] as const
type Part = (typeof parts)[number]

/** Names of columns in tables of others. */
const usualNames: Readonly<Record<string, Part>> = {
  name: 'title',
  titel: 'title',
  body: 'text',
  content: 'text',
  description: 'text',
  url: 'address',
  link: 'address',
  published_at: 'date',
  published: 'date',
  tag: 'tags',
  category: 'categories',
  summary: 'excerpt',
  image: 'cover',
  picture: 'cover',
}

const maxBytes = 64 * 1024 ** 2

export const csvFormat: ImportFormat = {
  name: 'csv',
  parts,
  recognises: (files) => Promise.resolve(tablePath(files) !== undefined),
  read: readCsv,
}

const tablePath = (files: SourceFiles): string | undefined =>
  files.sizes.size === 1 ? [...files.sizes.keys()].find((path) => /\.csv$/i.test(path)) : undefined

async function* readCsv(files: SourceFiles, { map = {}, type = 'post', url }: ReadOptions): AsyncGenerator<ImportPart> {
  const path = tablePath(files)
  if (path === undefined) throw new Failure('unprocessable', 'A table is one file whose name ends in .csv.')
  yield { kind: 'site', key: `csv:${path}`, url }
  let columns: Columns | undefined
  for (const { line, cells } of csvLines(await wholeText(files, path, maxBytes))) {
    if (columns === undefined) columns = readColumns(cells, map)
    else if (cells.some((text) => text.trim() !== '')) yield entryOf(columns, cells, { type, line })
  }
}

interface Columns {
  readonly parts: ReadonlyMap<Part, number>
  /** The columns of fields of the type, by their names. */
  readonly fields: ReadonlyMap<string, number>
}

/** @throws Failure `invalid` for a map that names no column, and `unprocessable` without a title */
function readColumns(cells: readonly string[], map: Readonly<Record<string, string>>): Columns {
  const names = cells.map((name) => name.trim())
  const own = new Map<Part, number>()
  const fields = new Map<string, number>()
  const set = (field: string, at: number) => {
    const part = parts.find((one) => one === field) ?? (Object.hasOwn(usualNames, field) ? usualNames[field] : undefined)
    if (part === undefined) fields.set(field, at)
    else if (!own.has(part)) own.set(part, at)
  }
  const given = Object.entries(map).filter(([column]) => !/^(?:type|taxonomy):/.test(column))
  for (const [column, field] of given) {
    const at = names.indexOf(column)
    if (at < 0)
      throw new Failure('invalid', `The table has no column ${JSON.stringify(column)}.`, {
        field: `map.${column}`.slice(0, 200).toWellFormed(),
        expected: `one of ${names.map((name) => JSON.stringify(name)).join(', ')}`,
      })
    set(field, at)
  }
  const mapped = new Set(given.map(([column]) => column))
  for (const [at, name] of names.entries())
    if (name !== '' && !mapped.has(name)) set(name.toLowerCase().replace(/[\s-]+/g, '_'), at)
  if (!own.has('title'))
    throw new Failure('unprocessable', 'The table has no column `title`.', {
      hint: `Name the column that holds the titles: map {${JSON.stringify(names[0] ?? 'Name')}: "title"}.`,
    })
  return { parts: own, fields }
}

const statuses: Readonly<Record<string, ImportEntry['status']>> = {
  '': 'published',
  published: 'published',
  publish: 'published',
  scheduled: 'scheduled',
  draft: 'draft',
}

function entryOf(
  { parts: own, fields }: Columns,
  cells: readonly string[],
  { type, line }: { type: string; line: number },
): ImportEntry {
  const value = (part: Part) => cells[own.get(part) ?? -1]?.trim() ?? ''
  const source = value('text')
  const status = value('status').toLowerCase()
  const address = value('address')
  const cover = value('cover')
  return {
    kind: 'entry',
    id: value('id') || value('slug') || address || `row ${line}`,
    type,
    status: statuses[status] ?? 'draft',
    title: plainTitle(value('title')),
    slug: value('slug') || undefined,
    path: value('path') || undefined,
    addresses: address === '' ? [] : [address],
    publishedAt: timeIn(value('date')),
    terms: [...termsIn('tag', value('tags')), ...termsIn('category', value('categories'))],
    excerpt: plainTitle(value('excerpt')) || undefined,
    text: source.startsWith('<') ? { format: 'html', source } : { format: 'markdown', dialect: 'plain', source },
    cover: cover === '' ? undefined : { address: cover },
    language: value('language') || undefined,
    fields: Object.fromEntries(
      [...fields].map(([name, at]) => [name, cells[at]?.trim() ?? '']).filter(([, text]) => text !== ''),
    ),
  }
}

/** A date, with a time of day if it has one. Without an offset it is by the clock of the old site. */
export function timeIn(text: string): ImportTime | undefined {
  const match = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(:\d\d)?(?:\.\d{1,9})?\s?(Z|UTC|[+-]\d\d:?\d\d)?)?$/.exec(text)
  if (!match) return undefined
  const [, day = '', clock = '00:00', seconds = ':00', offset] = match
  const local = `${day}T${clock}${seconds}`
  if (offset === undefined) return Number.isNaN(Date.parse(`${local}Z`)) ? undefined : { local }
  const utc = Date.parse(`${local}${offset === 'UTC' ? 'Z' : offset.replace(/^(.\d\d):?/, '$1:')}`)
  return Number.isNaN(utc) ? undefined : { utc }
}

const termsIn = (taxonomy: string, text: string): readonly ImportTermRef[] =>
  text
    .split(/[,;|]/)
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ taxonomy, slug: name, name }))

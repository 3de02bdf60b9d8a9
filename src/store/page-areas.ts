// The areas of the database by which kept pages are told apart. A page notes the areas that its queries read (`query-areas.ts`), a commit
// raises those that it changed, and a page holds while none of its areas is raised. An area is the rows of a table that have one value in
// a key column, such as the entries of a type. The published rows of an area, and the columns that name things, are areas of their own:
// a draft ends no page, and the text of an entry ends no menu.

import { type Area, type Kind, kinds } from './kinds.ts'
import type { Schema } from './schema.ts'

/** The name of an area. */
export type PageArea = string

/** A row as far as it is known. A column that is absent may hold anything. */
export type KnownRow = Readonly<Record<string, unknown>>

export interface ChangedRow {
  readonly table: string
  /** The columns that changed; absent for a row that was added or removed, and where they aren't known. */
  readonly columns?: readonly string[]
  /** Null if there was, or is, no such row. */
  readonly before: KnownRow | null
  readonly after: KnownRow | null
}

/** A table that pages read. */
interface PageTable {
  /** The counter that is raised with each change of the table. */
  readonly counter: Area
  /** The columns with areas of their own. A query that names several of them is in the area of the first. */
  readonly keys: readonly string[]
}

/** Any other table counts as everything, so that a page which reads it is made anew after each change. */
export const pageTables = {
  entry: { counter: 'content', keys: ['id', 'path', 'translation_of', 'type', 'parent_id'] },
  former_path: { counter: 'content', keys: ['path', 'entry_id'] },
  menu: { counter: 'content', keys: ['location'] },
  media: { counter: 'content', keys: ['id', 'path'] },
  media_former: { counter: 'content', keys: ['path', 'media_id'] },
  // It is written without a record, in commits that raise the counter.
  media_picture: { counter: 'content', keys: [] },
  term: { counter: 'terms', keys: ['id', 'ref'] },
  account: { counter: 'identity', keys: ['id', 'slug'] },
} as const satisfies { readonly [T in keyof Schema]?: PageTable }

/** A table whose rows follow from those of another, in whose areas they are. */
interface DerivedTable {
  readonly from: keyof typeof pageTables
  /** The area of the rows from which rows follow; absent for all. */
  readonly key?: string
  /** True if they follow from the columns that name things alone. */
  readonly names: boolean
}

/** The area of entries that have terms. */
const termed = 'terms'

const derivedTables: Readonly<Record<string, DerivedTable>> = {
  entry_term: { from: 'entry', key: termed, names: true },
  entry_value: { from: 'entry', names: false },
  media_use: { from: 'entry', names: false },
  menu_reference: { from: 'menu', names: false },
}

const findTable = (table: string): PageTable | undefined =>
  Object.hasOwn(pageTables, table) ? pageTables[table as keyof typeof pageTables] : undefined

/** The columns that name things, say where they are, and order them. Menus and other lists of links show no others. */
const nameColumns: ReadonlySet<string> = new Set([
  'id',
  'type',
  'title',
  'slug',
  'path',
  'status',
  'published_at',
  'unpublish_at',
  'author_id',
  'parent_id',
  'position',
  'terms',
  'locale',
  'translation_of',
  'entry_id',
  'term_id',
  'own',
  'name',
  'bio',
  'picture',
  'public',
  'disabled',
])

export type ColumnValue = readonly [column: string, value: unknown]

/** Values of these columns of which each row that a query finds has one at least; undefined if the query names no such values. */
export type ValuesOf = (columns: readonly string[]) => readonly ColumnValue[] | undefined

/** The conditions of a query on the rows of a table. */
export interface RowsRead {
  readonly table: string
  /** The columns that the query names; undefined for all. */
  readonly columns: ReadonlySet<string> | undefined
  readonly valuesOf: ValuesOf
}

/** The areas that a query reads; undefined for a table that is none of these. */
export function areasRead({ table, columns, valuesOf }: RowsRead): readonly PageArea[] | undefined {
  const derived = Object.hasOwn(derivedTables, table) ? derivedTables[table] : undefined
  const base = derived?.from ?? table
  const facts = findTable(base)
  if (!facts) return undefined
  const facet = {
    names: derived?.names !== false && columns !== undefined && [...columns].every((column) => nameColumns.has(column)),
    published: valuesOf(['status'])?.every(([, value]) => value === 'published') ?? false,
  }
  const keys = derived ? [derived.key ?? ''] : (valuesOf(facts.keys)?.map(keyName) ?? [''])
  return [anyRow(base), ...keys.map((key) => areaName(base, facet, key))]
}

/** The rows with one value in a key column. */
export const rowsWith = (table: keyof typeof pageTables, key: string, value: string): readonly PageArea[] => [
  anyRow(table),
  areaName(table, { names: false, published: false }, keyName([key, value])),
]

interface Facet {
  /** True if only columns that name things count. */
  readonly names: boolean
  /** True if only published rows count. */
  readonly published: boolean
}

const facets: readonly Facet[] = [false, true].flatMap((names) => [false, true].map((published) => ({ names, published })))

const areaName = (table: string, { names, published }: Facet, key: string): PageArea =>
  `${table}${names ? ' names' : ''}${published ? ' published' : ''} ${key}`

const keyName = ([column, value]: ColumnValue): string => `${column}=${String(value)}`

/** Raised where nobody knows which rows of a table changed. Each page that reads the table notes it. */
const anyRow = (table: string): PageArea => `${table} *`

/** The areas that a change raises. */
export function areasChanged({ table, columns, before, after }: ChangedRow): readonly PageArea[] {
  const facts = findTable(table)
  if (!facts) return []
  const rows = [before, after].filter((row) => row !== null)
  // The entries of a term are also those of the terms above it.
  const moved = table === 'term' && rows.length === 2 && (columns?.includes('parent_id') ?? true)
  const others = moved ? [anyRow('entry')] : []
  if (rows.some((row) => facts.keys.some((key) => row[key] === undefined))) return [...others, anyRow(table)]
  const named = columns === undefined || columns.some((column) => nameColumns.has(column))
  const published = table !== 'entry' || rows.some(({ status }) => status === undefined || status === 'published')
  const values = rows.flatMap((row) => facts.keys.map((key) => [key, row[key]] as const)).filter(([, value]) => value !== null)
  const keys = new Set(['', ...values.map(keyName)])
  if (table === 'entry' && rows.some(({ terms }) => terms !== '[]')) keys.add(termed)
  const raised = facets.filter((facet) => (named || !facet.names) && (published || !facet.published))
  return [...others, ...raised.flatMap((facet) => [...keys].map((key) => areaName(table, facet, key)))]
}

/** Stands for whatever may have changed in the tables of these counters. */
export function changedTables(counters: readonly Area[]): readonly ChangedRow[] {
  const tables = Object.entries(pageTables).filter(([, { counter }]) => counters.includes(counter))
  return tables.map(([table]) => ({ table, before: {}, after: {} }))
}

/** The counters that are raised with these changes. */
export const countersOf = (rows: readonly ChangedRow[]): readonly Area[] =>
  rows.flatMap(({ table }) => findTable(table)?.counter ?? [])

/** True if pages read the table of a kind. They don't read what waits for an entry. */
export const isOnPages = (kind: Kind): boolean => findTable(kinds[kind].table) !== undefined

// The areas of the database by which cached pages are invalidated. A page records the areas that its queries read
// (`query-areas.ts`), and a commit raises the areas that it changed. A page is valid while none of its areas is raised. An area is
// the rows of a table with one value in a key column, such as the entries of a type. The published rows of an area, and the columns
// that name things, are separate areas: a change of a draft invalidates no page, and a change of an entry's text invalidates no
// menu.

import { type Area, type Kind, kinds } from './kinds.ts'
import type { Schema } from '../core/schema.ts'

/** The name of an area. */
export type PageArea = string

/** The known columns of a row. An absent column may have any value. */
export type KnownRow = Readonly<Record<string, unknown>>

export interface ChangedRow {
  readonly table: string
  /** The columns that changed; absent for an added or removed row, and if they aren't known. */
  readonly columns?: readonly string[]
  /** Null if there was no such row before, or is none after. */
  readonly before: KnownRow | null
  readonly after: KnownRow | null
}

/** A table that pages read. */
interface PageTable {
  /** The counter that each change of the table raises. */
  readonly counter: Area
  /** The columns with areas of their own. A query that names several of them reads the area of the first. */
  readonly keys: readonly string[]
}

/** The tables that pages read. A page that reads any other table is invalidated by every change. */
export const pageTables = {
  entry: { counter: 'content', keys: ['id', 'path', 'translation_of', 'type', 'parent_id'] },
  former_path: { counter: 'content', keys: ['path', 'entry_id'] },
  menu: { counter: 'content', keys: ['location'] },
  redirect: { counter: 'content', keys: ['source'] },
  form: { counter: 'content', keys: ['slug'] },
  media: { counter: 'content', keys: ['id', 'path'] },
  media_former: { counter: 'content', keys: ['path', 'media_id'] },
  comment: { counter: 'content', keys: ['entry_id'] },
  site_file: { counter: 'content', keys: ['path'] },
  // Written without a record, in commits that raise the counter.
  media_picture: { counter: 'content', keys: [] },
  term: { counter: 'terms', keys: ['id', 'ref'] },
  account: { counter: 'identity', keys: ['id', 'slug'] },
} as const satisfies { readonly [T in keyof Schema]?: PageTable }

/** A table derived from another one. A query of it reads the areas of that table. */
interface DerivedTable {
  readonly from: keyof typeof pageTables
  /** The area of the rows that derived rows come from; absent for all rows. */
  readonly key?: string
  /** True if the derived rows depend only on the columns that name things. */
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

/** The columns that name, place and order things. Menus and other lists of links show no others. */
const nameColumns: ReadonlySet<string> = new Set([
  'id',
  'type',
  'title',
  'slug',
  'path',
  'status',
  'published_at',
  'unpublish_at',
  'password_hash',
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

/** The values of these columns, at least one of which each row of the query has; undefined if the query names no such values. */
export type ValuesOf = (columns: readonly string[]) => readonly ColumnValue[] | undefined

/** The conditions of a query on the rows of a table. */
export interface RowsRead {
  readonly table: string
  /** The columns that the query names; undefined for all. */
  readonly columns: ReadonlySet<string> | undefined
  readonly valuesOf: ValuesOf
}

/** Returns the areas that a query reads; undefined for a table without areas. */
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

/** The areas of the rows with one value in a key column. */
export const rowsWith = (table: keyof typeof pageTables, key: string, value: string): readonly PageArea[] => [
  anyRow(table),
  areaName(table, { names: false, published: false }, keyName([key, value])),
]

/** The areas of the published rows with one value in a key column. */
export const publishedWith = (table: keyof typeof pageTables, key: string, value: string): readonly PageArea[] => [
  anyRow(table),
  areaName(table, { names: false, published: true }, keyName([key, value])),
]

interface Facet {
  /** True for the columns that name things only. */
  readonly names: boolean
  /** True for published rows only. */
  readonly published: boolean
}

const facets: readonly Facet[] = [false, true].flatMap((names) => [false, true].map((published) => ({ names, published })))

const areaName = (table: string, { names, published }: Facet, key: string): PageArea =>
  `${table}${names ? ' names' : ''}${published ? ' published' : ''} ${key}`

const keyName = ([column, value]: ColumnValue): string => `${column}=${String(value)}`

/** The area that is raised if the changed rows of a table aren't known. Each page that reads the table records it. */
const anyRow = (table: string): PageArea => `${table} *`

/** Returns the areas that a change raises. */
export function areasChanged({ table, columns, before, after }: ChangedRow): readonly PageArea[] {
  const facts = findTable(table)
  if (!facts) return []
  const rows = [before, after].filter((row) => row !== null)
  // Entries of a term are also entries of its ancestors.
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

/** Represents unknown changes in all tables of these counters. */
export function changedTables(counters: readonly Area[]): readonly ChangedRow[] {
  const tables = Object.entries(pageTables).filter(([, { counter }]) => counters.includes(counter))
  return tables.map(([table]) => ({ table, before: {}, after: {} }))
}

/** The counters that these changes raise. */
export const countersOf = (rows: readonly ChangedRow[]): readonly Area[] =>
  rows.flatMap(({ table }) => findTable(table)?.counter ?? [])

/** True if pages read the table of a kind. Pages don't read staged changes. */
export const isOnPages = (kind: Kind): boolean => findTable(kinds[kind].table) !== undefined

// The areas of the database by which kept pages are told apart. A page notes the areas that its queries read (`query-areas.ts`), and a commit raises
// those that it changed, so a page holds while none of its areas was raised. An area is the rows of a table that have one value in a key column,
// such as the entries of a type. Drafts, and columns that a list of links does not show, have areas of their own.

import type { ChangedRow } from './changed-rows.ts'
import { type Area, kinds } from './kinds.ts'
import type { Schema } from './schema.ts'

/** The name of an area. */
export type PageArea = string

/** A table that pages read. */
interface PageTable {
  /** The counter that is raised with each change of the table. */
  readonly counter: Area
  /** The columns with areas of their own. A query that names several of them is in the area of the first. */
  readonly keys: readonly string[]
}

/** Any other table counts as everything, so that a page which reads it is made anew after each change. */
export const pageTables = {
  entry: { counter: 'content', keys: ['id', 'path', 'translation_of', 'type', 'parent_id', 'terms'] },
  former_path: { counter: 'content', keys: ['path', 'entry_id'] },
  menu: { counter: 'content', keys: ['location'] },
  redirect: { counter: 'content', keys: ['source'] },
  media: { counter: 'content', keys: ['id', 'path'] },
  media_former: { counter: 'content', keys: ['path', 'media_id'] },
  // It is written without a record, in commits that raise the counter.
  media_picture: { counter: 'content', keys: [] },
  term: { counter: 'terms', keys: ['id', 'ref'] },
  taxonomy: { counter: 'terms', keys: ['slug'] },
  account: { counter: 'identity', keys: ['id', 'slug'] },
} as const satisfies { readonly [T in keyof Schema]?: PageTable }

interface DerivedTable {
  readonly from: keyof typeof pageTables
  /** What rows of the other table have from which rows follow. */
  readonly values?: readonly ColumnValue[]
  /** Whether they follow from more than the columns that name things. */
  readonly texts?: true
}

/** The tables whose rows follow from those of another, in whose areas they are. */
const derivedTables: Readonly<Record<string, DerivedTable>> = {
  entry_term: { from: 'entry', values: [['terms', '']] },
  entry_value: { from: 'entry', texts: true },
  media_use: { from: 'entry', texts: true },
  menu_reference: { from: 'menu', texts: true },
}

const findTable = (table: string): PageTable | undefined =>
  Object.hasOwn(pageTables, table) ? pageTables[table as keyof typeof pageTables] : undefined

/** The columns that name things, say where they are, and order them. A change of other columns leaves menus and other lists of links as they are. */
const nameColumns: ReadonlySet<string> = new Set([
  ...['id', 'type', 'title', 'slug', 'path', 'status', 'published_at', 'unpublish_at', 'author_id', 'parent_id', 'position'],
  ...['terms', 'locale', 'translation_of', 'entry_id', 'term_id', 'own', 'name', 'bio', 'picture', 'public', 'disabled'],
])

export type ColumnValue = readonly [column: string, value: unknown]

/** Values of these columns of which each row that a query finds has one at least; undefined if the query names no such values. */
export type ValuesOf = (columns: readonly string[]) => readonly ColumnValue[] | undefined

/** What a query says of the rows of a table. */
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
    names: derived?.texts !== true && columns !== undefined && [...columns].every((column) => nameColumns.has(column)),
    published: valuesOf(['status'])?.every(([, value]) => value === 'published') ?? false,
  }
  const values = derived ? derived.values : valuesOf(facts.keys)
  const keys = values ? values.map(([column, value]) => keyName(column, value)) : ['']
  return [anyRow(base), ...keys.map((key) => areaName(base, facet, key))]
}

/** The rows with one value in a key column. */
export const rowsWith = (table: keyof typeof pageTables, key: string, value: string): readonly PageArea[] => [
  anyRow(table),
  areaName(table, { names: false, published: false }, keyName(key, value)),
]

interface Facet {
  /** Whether only columns that name things count. */
  readonly names: boolean
  /** Whether only published rows count. */
  readonly published: boolean
}

const facets: readonly Facet[] = [false, true].flatMap((names) => [false, true].map((published) => ({ names, published })))

const areaName = (table: string, { names, published }: Facet, key: string): PageArea =>
  `${table}${names ? ' names' : ''}${published ? ' published' : ''} ${key}`

/** Entries with terms have one area, whatever their terms are. */
const keyName = (key: string, value: unknown): string => (key === 'terms' ? key : `${key}=${String(value)}`)

/** Raised where nobody knows which rows of a table changed. Each page that reads the table notes it. */
const anyRow = (table: string): PageArea => `${table} *`

/** The areas that a change raises. */
export function areasChanged({ table, columns, before, after }: ChangedRow): readonly PageArea[] {
  const facts = findTable(table)
  if (!facts) return []
  // The entries of a term are also those of the terms above it.
  const moved = table === 'term' && (columns?.includes('parent_id') ?? (before !== null && after !== null))
  const others = moved ? [anyRow('entry')] : []
  const rows = [before, after].filter((row) => row !== null)
  if (rows.length === 0 || rows.some((row) => facts.keys.some((key) => row[key] === undefined))) return [anyRow(table), ...others]
  const named = columns === undefined || columns.some((column) => nameColumns.has(column))
  const published = table !== 'entry' || rows.some(({ status }) => status === undefined || status === 'published')
  const keys = new Set([
    '',
    ...rows.flatMap((row) => facts.keys.flatMap((key) => (hasKey(key, row[key]) ? [keyName(key, row[key])] : []))),
  ])
  const raised = facets.filter((facet) => (named || !facet.names) && (published || !facet.published))
  return [...others, ...raised.flatMap((facet) => [...keys].map((key) => areaName(table, facet, key)))]
}

const hasKey = (key: string, value: unknown): boolean => value !== null && (key !== 'terms' || value !== '[]')

/** Stands for whatever may have changed in the tables of these counters. */
export function changedTables(counters: readonly Area[]): readonly ChangedRow[] {
  const tables = Object.entries(pageTables).filter(([, { counter }]) => counters.includes(counter))
  return tables.map(([table]) => ({ table, before: {}, after: {} }))
}

/** The table of a record, if pages read it. Changes that wait for an entry are shown to nobody. */
export const pageTableOf = (kind: keyof typeof kinds): string | undefined => findTable(kinds[kind].table) && kinds[kind].table

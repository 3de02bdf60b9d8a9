// Copies the rows of a site from one database to another, and computes the sums by which tables are compared.
// `sqlite/file-tables.ts` and `postgres/schema-tables.ts` read and write the tables.

import { createHash } from 'node:crypto'
import { Failure } from '../../base/failure.ts'
import type { BoundValue } from './bindable.ts'

/** The values of a row, in the order of the requested columns. */
export type TableRow = readonly BoundValue[]

/** The columns of each table, in alphabetical order. */
export type TableColumns = ReadonlyMap<string, readonly string[]>

/** The tables of one database at one moment. */
export interface ReadableTables {
  /** Returns the names of the migrations that the database has, in their order. */
  listMigrations(): Promise<readonly string[]>
  /** Returns all tables except the database's own. A table comes after those that its foreign keys refer to. */
  listColumns(): Promise<TableColumns>
  /** Reads all rows of a table, in any order, in batches of limited size. */
  readRows(table: string, columns: readonly string[]): AsyncIterable<readonly TableRow[]>
}

export interface WritableTables extends ReadableTables {
  writeRows(table: string, columns: readonly string[], rows: readonly TableRow[]): Promise<void>
}

/** The sum of a table: the number of its rows, and a hash that does not depend on their order. */
export interface TableSum {
  readonly rows: number
  readonly hash: string
}

export type TableSums = ReadonlyMap<string, TableSum>

export interface CopyOptions {
  /** Tables whose rows are not copied. */
  readonly leaveOut?: ReadonlySet<string>
  readonly signal?: AbortSignal | undefined
  /** Called after each batch. */
  readonly onRows?: ((table: string, rows: number) => void) | undefined
}

/**
 * True for a table that each database makes itself: the search index, which differs between engines, and the list of migrations.
 */
export const isMadeAnew = (table: string): boolean => table.startsWith('entry_search') || table.startsWith('kysely_migration')

/**
 * Copies all rows between two databases that have the same migrations.
 * @returns the sums of the read tables
 * @throws Failure `refused` if the tables differ
 */
export async function copyTables(from: ReadableTables, to: WritableTables, options: CopyOptions = {}): Promise<TableSums> {
  const { leaveOut, signal, onRows } = options
  const source = await listSiteColumns(from)
  const target = await listSiteColumns(to)
  checkSameColumns(source, target)
  const sums = new Map<string, TableSum>()
  for (const [table, columns] of target) {
    const sum = new Sum()
    if (!leaveOut?.has(table))
      for await (const rows of from.readRows(table, columns)) {
        signal?.throwIfAborted()
        await to.writeRows(table, columns, rows)
        for (const row of rows) sum.add(row)
        onRows?.(table, rows.length)
      }
    sums.set(table, sum.end())
  }
  return sums
}

/** Returns the sums of all tables that a copy contains. */
export async function sumTables(of: ReadableTables): Promise<TableSums> {
  const sums = new Map<string, TableSum>()
  for (const [table, columns] of await listSiteColumns(of)) {
    const sum = new Sum()
    for await (const rows of of.readRows(table, columns)) for (const row of rows) sum.add(row)
    sums.set(table, sum.end())
  }
  return sums
}

/** Returns the first table whose contents differ; undefined if all are equal. */
export function findDifference(a: TableSums, b: TableSums): string | undefined {
  const tables = new Set([...a.keys(), ...b.keys()])
  return [...tables].find((table) => a.get(table)?.rows !== b.get(table)?.rows || a.get(table)?.hash !== b.get(table)?.hash)
}

async function listSiteColumns(of: ReadableTables): Promise<TableColumns> {
  return new Map([...(await of.listColumns())].filter(([table]) => !isMadeAnew(table)))
}

function checkSameColumns(source: TableColumns, target: TableColumns): void {
  for (const [table, columns] of target) {
    const found = source.get(table)
    if (found && found.join() === columns.join()) continue
    const what = found ? `has the columns ${found.join(', ')}, and not ${columns.join(', ')}` : 'is missing'
    throw new Failure('refused', `The table ${table} of the database is not as this release knows it: it ${what}.`)
  }
}

/** The name of a table or column, as SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Sorts tables so that each comes after those that it refers to. */
export function parentsFirst<T>(tables: ReadonlyMap<string, T>, parentsOf: (table: string) => readonly string[]): Map<string, T> {
  const sorted = new Map<string, T>()
  const add = (table: string) => {
    const found = tables.get(table)
    if (found === undefined || sorted.has(table)) return
    for (const parent of parentsOf(table)) if (parent !== table) add(parent)
    sorted.set(table, found)
  }
  for (const table of tables.keys()) add(table)
  return sorted
}

const modulus = 2n ** 128n

/** Adds up the hashes of rows, so that their order doesn't matter. */
class Sum {
  #rows = 0
  #total = 0n

  add(row: TableRow): void {
    const hash = createHash('sha256').update(JSON.stringify(row)).digest()
    this.#rows++
    this.#total = (this.#total + (hash.readBigUInt64BE(0) << 64n) + hash.readBigUInt64BE(8)) % modulus
  }

  end(): TableSum {
    return { rows: this.#rows, hash: this.#total.toString(16).padStart(32, '0') }
  }
}

/** The number of rows to read at once, for about a mebibyte per batch. */
export class RowBatch {
  rows = 16

  /** Adapts the number of rows to the size of the last batch. */
  adapt(rows: readonly TableRow[]): void {
    let size = 0
    for (const row of rows) for (const value of row) size += typeof value === 'string' ? value.length : 8
    if (size > 2 ** 20) this.rows = Math.max(1, Math.floor(this.rows / 2))
    else if (size < 2 ** 19 && rows.length >= this.rows) this.rows = Math.min(2000, this.rows * 2)
  }
}

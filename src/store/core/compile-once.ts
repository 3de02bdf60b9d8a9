// Queries of frequent writes, compiled once. Building and compiling a query costs more than running a small statement.

import { type CompiledQuery, InsertQueryNode, type Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from './database.ts'
import type { Schema } from './schema.ts'
const maxQueries = 200

/** The compiled queries of each database, by its adapter. */
const byAdapter = new WeakMap<object, LRUCache<string, CompiledQuery>>()

/** Returns the query that `make` builds. The key must contain everything that the query's text depends on; see `shapeOf`. */
export function compileOnce<R>(db: Db, key: string, make: () => { compile(): CompiledQuery<R> }): CompiledQuery<R> {
  const compiled = compiledFor(db)
  const found = compiled.get(key)
  if (found) return found
  const query = make().compile()
  compiled.set(key, query)
  return query
}

/** Returns a compiled query with other values of the same shape. */
export const withValues = <R>(query: CompiledQuery<R>, ...parameters: readonly unknown[]): CompiledQuery<R> => ({
  ...query,
  parameters,
})

/** Replaces the node of an insert, which would keep the values of the first row in memory. */
const insertNode = InsertQueryNode.createWithoutInto()

/**
 * Returns the insert of a row. Its text is compiled once per table and set of columns. Undefined values are left out.
 * @param replaced the key column, if the insert replaces the values of a row with the same key
 */
export function insertOf(db: Db, table: keyof Schema, row: object, replaced?: string): CompiledQuery {
  let key = `insert ${table} ${replaced ?? ''}`
  const parameters: unknown[] = []
  for (const [column, value] of Object.entries(row)) {
    if (value === undefined) continue
    key += ` ${column}${shapeOf(value)}`
    parameters.push(value)
  }
  const compiled = compiledFor(db)
  const found = compiled.get(key)
  if (found) return { ...found, parameters }
  // Kysely can't follow a variable table name.
  const tables = db as unknown as Kysely<Record<string, Readonly<Record<string, string | number | null>>>>
  const insert = tables.insertInto(table).values(row)
  const others = Object.keys(row).filter((column) => column !== replaced)
  const query = replaced
    ? insert
        .onConflict((on) =>
          on
            .column(replaced)
            .doUpdateSet(({ ref }) => Object.fromEntries(others.map((column) => [column, ref(`excluded.${column}`)]))),
        )
        .compile()
    : insert.compile()
  compiled.set(key, { ...query, query: insertNode, parameters: [] })
  return { ...query, query: insertNode }
}

/** Returns the part of a value that the text of a query may depend on: PostgreSQL needs the type of each number. */
export function shapeOf(value: unknown): string {
  if (typeof value === 'string' || value === null) return ''
  if (typeof value !== 'number') return `:${typeof value}`
  if (!Number.isSafeInteger(value)) return ':float'
  return value >= -(2 ** 31) && value < 2 ** 31 ? ':int' : ':long'
}

function compiledFor(db: Db): LRUCache<string, CompiledQuery> {
  const { adapter } = db.getExecutor()
  let compiled = byAdapter.get(adapter)
  if (!compiled) byAdapter.set(adapter, (compiled = new LRUCache({ max: maxQueries })))
  return compiled
}

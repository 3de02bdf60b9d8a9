// The prepared statements of the module `sqlite3` as promises.

import type { CompiledQuery, QueryResult } from 'kysely'
import type sqlite3 from 'sqlite3'
import type { BoundValue } from '../core/bindable.ts'

/** Prepares a statement. The caller finalizes it. */
export function prepare(db: sqlite3.Database, sql: string): Promise<sqlite3.Statement> {
  return new Promise((resolve, reject) => {
    const statement = db.prepare(sql, (error: Error | null) => (error ? reject(error) : resolve(statement)))
  })
}

/** Runs a statement and reads its rows. With `get` the statement would stay open, and keep the reader on an old snapshot. */
export function all(statement: sqlite3.Statement, parameters: readonly BoundValue[]): Promise<QueryResult<unknown>> {
  return new Promise((resolve, reject) => {
    statement.all(parameters, (error: Error | null, rows: unknown[]) =>
      error ? reject(error) : resolve({ rows, numAffectedRows: BigInt(rows.length) }),
    )
  })
}

/** Runs a statement and counts its changes. */
export function run(statement: sqlite3.Statement, parameters: readonly BoundValue[]): Promise<QueryResult<unknown>> {
  return new Promise((resolve, reject) => {
    statement.run(parameters, function (error: Error | null) {
      if (error) reject(error)
      else resolve({ rows: [], numAffectedRows: BigInt(this.changes), insertId: BigInt(this.lastID) })
    })
  })
}

/** The longest bound value of a cached statement, which keeps its values in memory. */
const maxKeptLength = 64 * 1024

/** True for a value that prevents the caching of its statement. */
export const isLong = (value: BoundValue): boolean => value !== null && typeof value !== 'number' && value.length > maxKeptLength

const countedText = /^\s*(?:insert|update|delete|replace)\b(?![\s\S]*\breturning\b)/i

/**
 * True if a query returns rows, false if only its changes are counted. Raw SQL is assumed to return rows unless its text rules this
 * out, because an unread row would keep the reader on an old snapshot.
 */
export function returnsRows({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'SelectQueryNode') return true
  if (query.kind === 'RawNode') return !countedText.test(sql)
  return 'returning' in query && query.returning !== undefined
}

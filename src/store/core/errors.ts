// The errors of queries, for both engines. Each engine's folder, such as `sqlite/`, maps its error codes to these errors.

import { Failure } from '../../base/failure.ts'

/** The role of a connection: the only writer, or one of the readers, which can't write. */
export type Role = 'writer' | 'reader'

/** A query that the database refused. The error has the SQL text and the database's code, but never the bound values. */
export class QueryError extends Error {
  /** Such as `SQLITE_ERROR`. */
  readonly code: string
  readonly sql: string

  constructor(code: string, message: string, sql: string, cause: unknown) {
    super(`${message} in: ${sql}`, { cause })
    this.name = new.target.name
    this.code = code
    this.sql = sql
  }
}

/** The kind of constraint that a write violated: a unique key, a foreign key, a column that must have a value, or a check. */
export type Constraint = 'unique' | 'reference' | 'required' | 'check'

/** A violated constraint, with the table and columns, if the database names them. */
export interface Violation {
  readonly constraint: Constraint
  readonly table?: string | undefined
  readonly columns: readonly string[]
}

/** A write that violates a constraint of the schema. */
export class ConstraintError extends QueryError {
  readonly constraint: Constraint
  readonly table: string | undefined
  readonly columns: readonly string[]

  constructor(violated: Violation, ...query: ConstructorParameters<typeof QueryError>) {
    super(...query)
    this.constraint = violated.constraint
    this.table = violated.table
    this.columns = violated.columns
  }
}

/** A fault that passes: its sentence, and the seconds after which to try again. */
export type Trouble = readonly [sentence: string, retryAfterSeconds: number]

/** The troubles of either database. */
export const troubles = {
  locked: ['The database is locked by another process; try again shortly.', 1],
  busy: ['The database has too much to do; try again shortly.', 1],
  full: ['The disk that holds the database is full.', 60],
  sick: ['The disk that holds the database fails to read or write.', 60],
} as const satisfies Readonly<Record<string, Trouble>>

/** The failure when the database is temporarily unavailable. */
export function unavailable(sentence: string, retryAfterSeconds: number, cause?: unknown): Failure {
  return new Failure('unavailable', sentence, { retry_after: retryAfterSeconds }, cause === undefined ? {} : { cause })
}

/** The failure of a query that was interrupted by its time limit or its caller's disconnect. */
export function endedEarly(): Failure {
  return unavailable('The call took too long, or its caller left, before the database had answered.', 5)
}

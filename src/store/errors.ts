// How queries fail, whichever database runs them. Each database folder, such as `sqlite/`, maps its own error codes to these.

import { Failure } from '../failure.ts'

/** A query that the database refused: its SQL text and the database's own code, never its values. */
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

/** What a write violated: a unique key, a reference to a row that isn't there, a column that must have a value, or a check. */
export type Constraint = 'unique' | 'reference' | 'required' | 'check'

/** A write that violates a constraint of the schema. */
export class ConstraintError extends QueryError {
  readonly constraint: Constraint
  /** The table and columns, as far as the database names them. */
  readonly table: string | undefined
  readonly columns: readonly string[]

  constructor(
    violated: { readonly constraint: Constraint; readonly table?: string | undefined; readonly columns?: readonly string[] },
    ...query: ConstructorParameters<typeof QueryError>
  ) {
    super(...query)
    this.constraint = violated.constraint
    this.table = violated.table
    this.columns = violated.columns ?? []
  }
}

/** The failure of a database that can't serve now. */
export function unavailable(sentence: string, retryAfterSeconds: number, cause?: unknown): Failure {
  return new Failure('unavailable', sentence, { retry_after: retryAfterSeconds }, cause === undefined ? {} : { cause })
}

/** The failure of a query that was ended before it finished: its time was up, or its caller left. */
export function endedEarly(): Failure {
  return unavailable('The call took too long, or its caller left, before the database had answered.', 5)
}

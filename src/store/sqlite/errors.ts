// What SQLite's error codes mean to the rest of Postern: this is the one place where they become failures.
// Whether a violated constraint is an `exists` or an `in_use` is left to whoever wrote the query.

import { Failure } from '../../failure.ts'

/** The database as it was opened: the one writer, or one of the readers, which may not write. */
export type Role = 'writer' | 'reader'

/** A query that failed for a reason of its own: its SQL text and SQLite's code, never its values. */
export class SqlError extends Error {
  /** Such as `SQLITE_CONSTRAINT`. */
  readonly code: string
  readonly sql: string

  constructor(code: string, message: string, sql: string, cause: unknown) {
    super(`${message} in: ${sql}`, { cause })
    this.name = 'SqlError'
    this.code = code
    this.sql = sql
  }
}

interface Trouble {
  readonly sentence: string
  readonly retryAfterSeconds: number
}

const locked = { sentence: 'The database is locked by another process; try again shortly.', retryAfterSeconds: 1 }

/** Troubles of the machine, not of the query: a caller may come again (ATTACKS 120). */
const troubles: Readonly<Record<string, Trouble>> = {
  SQLITE_BUSY: locked,
  SQLITE_LOCKED: locked,
  SQLITE_PROTOCOL: locked,
  SQLITE_FULL: { sentence: 'The disk that holds the database is full.', retryAfterSeconds: 60 },
  SQLITE_IOERR: { sentence: 'The disk that holds the database fails to read or write.', retryAfterSeconds: 60 },
  SQLITE_READONLY: { sentence: 'The database can be read but not written.', retryAfterSeconds: 60 },
  SQLITE_CANTOPEN: { sentence: 'The database file can not be opened.', retryAfterSeconds: 60 },
}

/** The failure of a database that can't serve now. */
export function unavailable(sentence: string, retryAfterSeconds: number, cause?: unknown): Failure {
  return new Failure('unavailable', sentence, { retry_after: retryAfterSeconds }, cause === undefined ? {} : { cause })
}

/** The failure of a query that was ended before it had finished: its time was up, or its caller has left. */
export function endedEarly(): Failure {
  return unavailable('The call took too long, or its caller left, before the database had answered.', 5)
}

/** What to throw for an error that came out of `sqlite3`. A write on a reader is our own mistake, not the machine's. */
export function storeError(error: unknown, sql: string, role: Role): Error {
  if (!(error instanceof Error)) return new Error(`The database failed with ${String(error)} in: ${sql}`)
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (code === 'SQLITE_NOTADB') return new Failure('refused', 'The database file is no SQLite database.', {}, { cause: error })
  if (code === 'SQLITE_INTERRUPT') return endedEarly()
  const trouble = code === 'SQLITE_READONLY' && role === 'reader' ? undefined : troubles[code]
  return trouble ? unavailable(trouble.sentence, trouble.retryAfterSeconds, error) : new SqlError(code, error.message, sql, error)
}

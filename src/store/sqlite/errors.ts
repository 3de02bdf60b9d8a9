// Maps SQLite's error codes to Postern's errors.

import { Failure } from '../../base/failure.ts'
import {
  type Constraint,
  ConstraintError,
  endedEarly,
  QueryError,
  type Role,
  type Trouble,
  troubles,
  unavailable,
  type Violation,
} from '../core/errors.ts'

export type { Role }

/** Errors of the machine. The caller may try again (attack 120). */
const troublesByCode: Readonly<Record<string, Trouble>> = {
  SQLITE_BUSY: troubles.locked,
  SQLITE_LOCKED: troubles.locked,
  SQLITE_PROTOCOL: troubles.locked,
  SQLITE_FULL: troubles.full,
  SQLITE_IOERR: troubles.sick,
  SQLITE_READONLY: ['The database can be read but not written.', 60],
  SQLITE_CANTOPEN: ['The database file can not be opened.', 60],
}

/** Converts an error of `sqlite3`. A write on a reader is a bug in Postern, not a fault of the machine. */
export function storeError(error: unknown, sql: string, role: Role): Error {
  if (!(error instanceof Error)) return new Error(`The database failed with ${String(error)} in: ${sql}`)
  const code = codeOf(error)
  if (code === 'SQLITE_NOTADB')
    return new Failure('refused', 'The database file is not an SQLite database.', {}, { cause: error })
  if (code === 'SQLITE_INTERRUPT') return endedEarly()
  const trouble = code === 'SQLITE_READONLY' && role === 'reader' ? undefined : troublesByCode[code]
  if (trouble) return unavailable(...trouble, error)
  const violated = code === 'SQLITE_CONSTRAINT' ? parseViolation(error.message) : undefined
  if (violated) return new ConstraintError(violated, code, error.message, sql, error)
  return new QueryError(code, error.message, sql, error)
}

/** Returns SQLite's code of an error, such as `SQLITE_BUSY`; empty for any other error. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** True if an error, or its cause, means that the database file is damaged. */
export const isDamage = (error: unknown): error is Error =>
  error instanceof Error && [error, error.cause].some((one) => ['SQLITE_CORRUPT', 'SQLITE_NOTADB'].includes(codeOf(one)))

const constraints: Readonly<Record<string, Constraint>> = {
  UNIQUE: 'unique',
  'FOREIGN KEY': 'reference',
  'NOT NULL': 'required',
  CHECK: 'check',
}

/**
 * Parses a message such as `UNIQUE constraint failed: entry_revision.entry_id, entry_revision.revision`. For a foreign key, SQLite
 * names neither table nor columns.
 */
function parseViolation(message: string): Violation | undefined {
  const [, kind = '', names = ''] =
    /^SQLITE_CONSTRAINT: (UNIQUE|FOREIGN KEY|NOT NULL|CHECK) constraint failed(?:: (.*))?$/.exec(message) ?? []
  const constraint = constraints[kind]
  if (!constraint) return undefined
  const pairs = names.split(', ').flatMap((name) => (/^\w+\.\w+$/.test(name) ? [name.split('.')] : []))
  return { constraint, table: pairs[0]?.[0], columns: pairs.map(([, column = '']) => column) }
}

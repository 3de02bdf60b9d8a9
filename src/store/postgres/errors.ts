// Maps PostgreSQL's error codes to Postern's errors. PostgreSQL quotes values of rows in the details of an error and in some
// messages, so only parts without values are passed on.

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

/** PostgreSQL's error as the driver gives it. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
interface DatabaseError extends Error {
  readonly code: string
  readonly severity: string
  readonly detail?: string
  readonly table?: string
  readonly column?: string
  readonly constraint?: string
}

const lost: Trouble = ['The database can not be reached at the moment; try again shortly.', 1]

/** Errors of the machine or the network, by code or class of code. The caller may try again (attack 120). */
const troublesByCode: Readonly<Record<string, Trouble>> = {
  '08': lost,
  '57P': lost,
  '25P03': lost,
  '55P03': troubles.locked,
  '40': troubles.locked,
  '53': troubles.busy,
  '53100': troubles.full,
  '58': troubles.sick,
  XX001: troubles.sick,
  XX002: troubles.sick,
  '25006': ['The database can be read but not written.', 5],
  '0A000 cached plan': ['The schema of the database has just changed; try again shortly.', 1],
}

/** True if the connection can't be used after this error. */
export function isFatal(error: unknown): boolean {
  if (!isDatabaseError(error)) return true
  return error.severity === 'FATAL' || error.severity === 'PANIC' || error.code === '25006' || isStalePlan(error)
}

/** True if a prepared statement is older than the schema: after another process's migration, `select *` has more columns. */
const isStalePlan = (error: unknown): boolean =>
  isDatabaseError(error) && error.code === '0A000' && error.message.startsWith('cached plan')

/** Converts an error of the driver. A write on a reader is a bug in Postern, not a fault of the machine. */
export function storeError(error: unknown, sql: string, role: Role): Error {
  if (!(error instanceof Error)) return new Error(`The database failed with ${String(error)} in: ${sql}`)
  if (!isDatabaseError(error)) return unavailable(...lost, error)
  const { code } = error
  const cause = withoutValues(error)
  if (code === '57014') return endedEarly()
  const key = isStalePlan(error) ? '0A000 cached plan' : code
  const trouble = troublesByCode[key] ?? troublesByCode[code.slice(0, 3)] ?? troublesByCode[code.slice(0, 2)]
  if (trouble && !(code === '25006' && role === 'reader')) return unavailable(...trouble, cause)
  const constraint = constraints[code]
  if (constraint) return new ConstraintError(violationOf(error, constraint), code, cause.message, sql, cause)
  return new QueryError(code, cause.message, sql, cause)
}

/** The failure of any operation whose connection was lost. */
export const connectionLost = (cause: unknown): Error => unavailable(...lost, cause)

/** Returns PostgreSQL's code of an error, such as `23505`; empty for any other error. */
export const codeOf = (error: unknown): string => (isDatabaseError(error) ? error.code : '')

function isDatabaseError(error: unknown): error is DatabaseError {
  return error instanceof Error && 'severity' in error && 'code' in error && typeof error.code === 'string'
}

/** Returns the error with only its code and message. Messages about data (class 22) quote the value, which is removed. */
function withoutValues({ message, code }: DatabaseError): Error {
  const kept = code.startsWith('22') ? message.replace(/"[\s\S]*"/, '…').replace(/: [\s\S]*$/, '') : message
  return Object.assign(new Error(kept), { code })
}

const constraints: Readonly<Record<string, Constraint>> = {
  '23505': 'unique',
  '23503': 'reference',
  '23502': 'required',
  '23514': 'check',
}

/**
 * Returns the table and columns as SQLite names them; for a foreign key, neither. The detail of a unique key reads `Key (owner,
 * key)=(…) already exists.`
 */
function violationOf({ table, column, detail = '' }: DatabaseError, constraint: Constraint): Violation {
  if (constraint === 'reference') return { constraint, columns: [] }
  const [, keys] = /^Key \(([^)]*)\)=/.exec(detail) ?? []
  const columns = column ? [column] : (keys?.split(', ').map((name) => name.replaceAll('"', '')) ?? [])
  return { constraint, table, columns }
}

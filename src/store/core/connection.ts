// The interface between a store and a connection to its database. Each engine implements it.

import type { CompiledQuery, QueryResult } from 'kysely'

/** A statement that nothing waits for. It returns no rows. */
export interface QueuedWrite {
  readonly query: CompiledQuery
  /** Converts the error of the statement to the error for the caller. */
  readonly toError?: ((error: unknown) => unknown) | undefined
  /** Checks the result, and throws the error with which the transaction fails. */
  readonly check?: ((result: QueryResult<unknown>) => void) | undefined
}

/** A connection. Its methods may be called at any time: statements run in the order of the calls. */
export interface StoreConnection {
  /**
   * Runs queued statements and then a query, in as few trips as the database allows.
   * @param signal ends all of them when it aborts; the connection can be used again afterwards
   * @throws FailedWrite for the first queued statement that failed; later ones have no effect. Otherwise Failure `unavailable` for
   * a fault of the machine or network or an interrupted query, QueryError for a fault of the query, TypeError for a value that
   * can't be bound
   */
  execute(query: CompiledQuery, signal?: AbortSignal, queued?: readonly QueuedWrite[]): Promise<QueryResult<unknown>>
  /** Runs queued statements. @throws FailedWrite */
  write(queued: readonly QueuedWrite[], signal?: AbortSignal): Promise<void>
  /**
   * Begins a transaction; the writer also takes the lock of all writers. This may return before the database has answered. The
   * first query or the commit then fails with the error.
   * @param onBegun called when the database has answered
   */
  begin(signal?: AbortSignal, onBegun?: () => void): Promise<void>
  /** Runs queued statements and commits. @throws FailedWrite, after which the transaction must still be rolled back */
  commit(queued?: readonly QueuedWrite[]): Promise<void>
  rollback(): Promise<void>
  close(): Promise<void>
}

/** The error of a queued statement, as opposed to that of the query. */
export class FailedWrite extends Error {
  constructor({ toError }: QueuedWrite, error: unknown) {
    super('A queued statement failed.', { cause: toError ? toError(error) : error })
    this.name = 'FailedWrite'
  }
}

/** Runs a single queued statement. @throws FailedWrite */
export async function runAlone(write: QueuedWrite, run: (query: CompiledQuery) => Promise<QueryResult<unknown>>): Promise<void> {
  let result
  try {
    result = await run(write.query)
  } catch (error) {
    throw new FailedWrite(write, error)
  }
  checkResult(write, result)
}

/** Runs the check of a queued statement's result. @throws FailedWrite */
export function checkResult(write: QueuedWrite, result: QueryResult<unknown>): void {
  try {
    write.check?.(result)
  } catch (error) {
    throw new FailedWrite(write, error)
  }
}

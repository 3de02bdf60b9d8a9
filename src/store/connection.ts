// The interface between a store and a connection to its database. Each database has one implementation.

import type { CompiledQuery, QueryResult } from 'kysely'

/** A statement that nobody waits for. It returns no rows. */
export interface QueuedWrite {
  readonly query: CompiledQuery
  /** Replaces the error of the statement by what the caller is told. */
  readonly toError?: ((error: unknown) => unknown) | undefined
  /** Looks at the result, and throws what the transaction fails with. */
  readonly check?: ((result: QueryResult<unknown>) => void) | undefined
}

/** A connection. Its methods may be called at any time: the statements run in the order of the calls. */
export interface StoreConnection {
  /**
   * Runs queued statements and then a query, in as few trips as the database can.
   * @param signal ends all of them when it aborts; the connection can be used again afterwards
   * @throws FailedWrite for the first queued statement that failed; what follows it has no effect. Otherwise Failure `unavailable` if the machine
   * or the network is at fault or the query was interrupted, QueryError if the query is at fault, TypeError for a value that can't be bound
   */
  execute(query: CompiledQuery, signal?: AbortSignal, queued?: readonly QueuedWrite[]): Promise<QueryResult<unknown>>
  /** Runs queued statements. @throws FailedWrite */
  write(queued: readonly QueuedWrite[], signal?: AbortSignal): Promise<void>
  /**
   * Begins a transaction. The writer takes the lock of all writers with it. This may end before the database has answered: then the first query or the
   * commit fails with the error.
   * @param onBegun called when the database has answered
   */
  begin(signal?: AbortSignal, onBegun?: () => void): Promise<void>
  /** Runs queued statements and commits. @throws FailedWrite, after which the transaction is still to be rolled back */
  commit(queued?: readonly QueuedWrite[]): Promise<void>
  rollback(): Promise<void>
  /** Waits for running queries and closes the connection. */
  close(): Promise<void>
}

/** Carries the error of a queued statement, which is not the error of the query that was asked. */
export class FailedWrite extends Error {
  constructor({ toError }: QueuedWrite, error: unknown) {
    super('A queued statement failed.', { cause: toError ? toError(error) : error })
    this.name = 'FailedWrite'
  }
}

/** Runs a queued statement by itself. @throws FailedWrite */
export async function runAlone(write: QueuedWrite, run: (query: CompiledQuery) => Promise<QueryResult<unknown>>): Promise<void> {
  let result
  try {
    result = await run(write.query)
  } catch (error) {
    throw new FailedWrite(write, error)
  }
  checkResult(write, result)
}

/** Has the result of a queued statement looked at. @throws FailedWrite */
export function checkResult(write: QueuedWrite, result: QueryResult<unknown>): void {
  try {
    write.check?.(result)
  } catch (error) {
    throw new FailedWrite(write, error)
  }
}

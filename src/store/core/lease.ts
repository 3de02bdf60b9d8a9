// A connection that is lent to one borrower, for a query or a transaction. A query that starts after its transaction has ended is
// refused, because it would run outside the transaction.

import { CompiledQuery, type QueryResult } from 'kysely'
import { type StoreConnection, FailedWrite, type QueuedWrite } from './connection.ts'
import type { Pool } from './pool.ts'
import type { TransactionConnection } from './queued-writes.ts'

export class Lease<C extends StoreConnection> implements TransactionConnection {
  readonly #connection: C
  readonly #signal: AbortSignal | undefined
  /** The reason for refusing queries; undefined while they are accepted. */
  #closed: string | undefined
  #queued: QueuedWrite[] = []
  /** The error of the first queued statement that failed. */
  #failed: FailedWrite | undefined
  /** Settles when the running queued statements end; undefined if none is running. */
  #running: Promise<unknown> | undefined

  constructor(connection: C, signal: AbortSignal | undefined) {
    this.#connection = connection
    this.#signal = signal
  }

  /** @param signal ends the wait for a connection and the queries of the lease, but never a commit or a rollback */
  static async take<C extends StoreConnection>(pool: Pool<C>, signal?: AbortSignal): Promise<Lease<C>> {
    return new Lease(await pool.take(signal), signal)
  }

  giveTo(pool: Pool<C>): void {
    this.#closed = 'The connection was given back'
    pool.give(this.#connection)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#checkOpen()
    if (this.#running) await this.#idle()
    if (this.#queued.length === 0) return (await this.#connection.execute(query, this.#signal)) as QueryResult<R>
    return (await this.#withQueued((queued) => this.#connection.execute(query, this.#signal, queued))) as QueryResult<R>
  }

  queue(write: QueuedWrite): void {
    this.#checkOpen()
    this.#queued.push(write)
  }

  async settle(): Promise<void> {
    await this.#idle()
    if (this.#queued.length > 0) await this.#withQueued((queued) => this.#connection.write(queued, this.#signal))
  }

  async savepoint<T>(run: () => Promise<T>): Promise<T> {
    await this.settle()
    this.queue({ query: savepoints.begin })
    try {
      const value = await run()
      await this.settle()
      this.queue({ query: savepoints.end })
      return value
    } catch (error) {
      const isUnsent = this.#queued.some(({ query }) => query === savepoints.begin)
      this.#queued = []
      while (this.#running) await this.#running.catch(() => undefined)
      this.#failed = undefined
      // If even this fails, the whole transaction has ended, as on a full disk.
      if (!isUnsent) for (const query of [savepoints.undo, savepoints.end]) await this.#connection.execute(query)
      throw error
    }
  }

  /** Runs a function after all queued statements. Only one such run is active at a time. */
  async #withQueued<T>(run: (queued: readonly QueuedWrite[]) => Promise<T>): Promise<T> {
    const running = run(this.#queued)
    this.#queued = []
    this.#running = running
    try {
      return await running
    } catch (error) {
      if (!(error instanceof FailedWrite)) throw error
      this.#failed ??= error
      throw error.cause
    } finally {
      this.#running = undefined
    }
  }

  /** Waits for the running queued statements. @throws Error if the lease no longer accepts queries after that */
  async #idle(): Promise<void> {
    while (this.#running) await this.#running.catch(() => undefined)
    this.#checkOpen()
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams are not supported: read in pages.')
  }

  /** Begins a transaction. @param onBegun called when the database has answered, which may be later */
  begin(onBegun?: () => void): Promise<void> {
    return this.#connection.begin(this.#signal, onBegun)
  }

  /** Commits a transaction. After this call the lease refuses queries. @throws the error of any queued statement that failed */
  async commit(): Promise<void> {
    await this.#idle()
    this.#closed = ended
    await this.#withQueued((queued) => this.#connection.commit(queued))
  }

  /** Rolls a transaction back. A late query of a failed `Promise.all` is refused, because it would run after the rollback. */
  async rollback(): Promise<void> {
    this.#closed ??= ended
    this.#queued = []
    while (this.#running) await this.#running.catch(() => undefined)
    await this.#connection.rollback()
  }

  /** Accepts queries again, because Kysely may continue to use the connection after a transaction. */
  reopen(): void {
    this.#closed = undefined
    this.#failed = undefined
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new Error(`${this.#closed}: await each query before the transaction ends.`)
    if (this.#failed) throw this.#failed.cause
  }
}

const savepoints = {
  begin: CompiledQuery.raw('savepoint part'),
  undo: CompiledQuery.raw('rollback to savepoint part'),
  end: CompiledQuery.raw('release savepoint part'),
}

const ended = 'The transaction has ended'

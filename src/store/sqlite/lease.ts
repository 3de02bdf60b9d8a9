// A connection that is lent to one borrower, for a query or a transaction. If a query is started after its transaction has ended, it is refused
// rather than run outside the transaction.

import { CompiledQuery, type QueryResult } from 'kysely'
import { QueryError } from '../errors.ts'
import type { QueuedWrite, TransactionConnection } from '../queued-writes.ts'
import type { SqliteConnection } from './connection.ts'
import type { Pool } from './pool.ts'

const endings = { commit: CompiledQuery.raw('commit'), rollback: CompiledQuery.raw('rollback') }

export class Lease implements TransactionConnection {
  readonly #connection: SqliteConnection
  readonly #signal: AbortSignal | undefined
  /** Why the lease refuses queries now; undefined while it accepts them. */
  #closed: string | undefined
  #queued: QueuedWrite[] = []
  /** Ends when everything queued so far has run. It stays rejected once a statement has failed. */
  #settled: Promise<void> | undefined

  constructor(connection: SqliteConnection, signal: AbortSignal | undefined) {
    this.#connection = connection
    this.#signal = signal
  }

  /** @param signal ends the wait for a connection, and the queries of the lease; never a commit or a rollback */
  static async take(pool: Pool, signal?: AbortSignal): Promise<Lease> {
    return new Lease(await pool.take(signal), signal)
  }

  giveTo(pool: Pool): void {
    this.#closed = 'The connection was given back'
    pool.give(this.#connection)
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#checkOpen()
    if (this.#queued.length > 0 || this.#settled) await this.settle()
    return (await this.#connection.execute(query, this.#signal)) as QueryResult<R>
  }

  queue(write: QueuedWrite): void {
    this.#checkOpen()
    this.#queued.push(write)
  }

  settle(): Promise<void> {
    const writes = this.#queued
    if (writes.length === 0) return this.#settled ?? Promise.resolve()
    this.#queued = []
    return (this.#settled = this.#run(writes, this.#settled))
  }

  async #run(writes: readonly QueuedWrite[], earlier: Promise<void> | undefined): Promise<void> {
    await earlier
    for (const group of groupsOf(writes)) {
      this.#checkOpen()
      if (
        group.length > 1 &&
        (await this.#connection.executeTogether(
          group.map(({ query }) => query),
          this.#signal,
        ))
      )
        continue
      for (const write of group) await this.#runOne(write)
    }
  }

  async #runOne({ query, check, toError }: QueuedWrite): Promise<void> {
    this.#checkOpen()
    try {
      const result = await this.#connection.execute(query, this.#signal)
      check?.(result)
    } catch (error) {
      throw toError ? toError(error) : error
    }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams are not supported: read in pages.')
  }

  async begin(): Promise<void> {
    await this.#connection.execute(this.#connection.begin)
  }

  /**
   * Ends a transaction. The lease refuses queries from then on: otherwise a late query of a failed `Promise.all` could run after the rollback.
   */
  async end(how: 'commit' | 'rollback'): Promise<void> {
    if (how === 'commit') await this.settle()
    this.#closed = 'The transaction has ended'
    this.#queued = []
    try {
      await this.#connection.execute(endings[how])
    } catch (error) {
      // On a full disk SQLite rolls back by itself, and this rollback fails. The error to report is the earlier one.
      if (how === 'commit' || !(error instanceof QueryError && error.message.includes('no transaction is active'))) throw error
    }
  }

  /** Accepts queries again, where Kysely goes on to use the connection after a transaction. */
  reopen(): void {
    this.#closed = undefined
    this.#settled = undefined
  }

  #checkOpen(): void {
    if (this.#closed !== undefined) throw new Error(`${this.#closed}: each of a transaction's queries must be awaited in it.`)
  }
}

/** Statements whose result nobody looks at run together; each of the others runs alone. */
function groupsOf(writes: readonly QueuedWrite[]): readonly QueuedWrite[][] {
  const groups: QueuedWrite[][] = []
  for (const write of writes) {
    const last = groups.at(-1)
    if (last && !write.check && !last.at(-1)?.check) last.push(write)
    else groups.push([write])
  }
  return groups
}

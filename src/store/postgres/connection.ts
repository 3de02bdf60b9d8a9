// One connection to PostgreSQL, which reconnects when it is lost. Queries are sent without waiting for earlier answers; the server
// runs them in order. `pool.ts` lends connections to borrowers.

import { setTimeout as sleep } from 'node:timers/promises'
import type { CompiledQuery, QueryResult } from 'kysely'
import type pg from 'pg'
import { Failure } from '../../base/failure.ts'
import { checkResult, FailedWrite, type QueuedWrite, type StoreConnection } from '../core/connection.ts'
import { bindable, type BoundValue } from '../core/bindable.ts'
import { endedEarly, QueryError, unavailable } from '../core/errors.ts'
import type { Commits } from './commits.ts'
import type { Connector, ServerSession, SessionSettings } from './connect.ts'
import { isFatal, storeError } from './errors.ts'
import { StatementNames } from './statement-names.ts'

export interface PostgresConnectionOptions {
  readonly connector: Connector
  readonly settings: SessionSettings
  /** Cancels the running query of a server process. */
  readonly cancel: (pid: number) => Promise<void>
  /** Prepares each new connection. If it fails, the connection is closed. */
  readonly onConnect?: ((session: ServerSession) => Promise<void>) | undefined
  /** For the writer: the lock of all writers, and the record of commits. */
  readonly commits?: Commits
}

/** The interval of repeated cancellations: one that arrives between two queries has no effect. */
const cancelEveryMs = 50
/** The time after which the connection is closed if cancelling has not helped. */
const cancelForMs = 2000

export class PostgresConnection implements StoreConnection {
  readonly #options: PostgresConnectionOptions
  #session: ServerSession | undefined
  #opening: Promise<ServerSession> | undefined
  #names = new StatementNames()
  #inTransaction = false
  /** The outcome of the statement that began the transaction; undefined once its success is known. */
  #begun: Promise<PromiseSettledResult<unknown>> | undefined
  #closed = false

  constructor(options: PostgresConnectionOptions) {
    this.#options = options
  }

  /** Returns the open connection, or opens one. A transaction never moves to another connection. */
  async open(): Promise<ServerSession> {
    if (this.#session?.isOpen || (this.#inTransaction && this.#session)) return this.#session
    if (this.#closed) throw unavailable('The site is stopping.', 5)
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined))
    const session = await this.#opening
    if (this.#session !== session) this.#names = new StatementNames()
    this.#session = session
    return session
  }

  async #connect(): Promise<ServerSession> {
    const { connector, settings, onConnect } = this.#options
    const session = await connector.connect(settings)
    try {
      await onConnect?.(session)
      return session
    } catch (error) {
      session.destroy()
      throw error instanceof Failure ? error : storeError(error, 'connect', settings.role)
    }
  }

  /**
   * Runs a query. On the writer, a query outside a transaction gets a transaction of its own, which waits for the lock of all
   * writers.
   */
  async execute(query: CompiledQuery, signal?: AbortSignal, queued: readonly QueuedWrite[] = []): Promise<QueryResult<unknown>> {
    if (signal?.aborted) throw endedEarly()
    const values = query.parameters.map(bindable)
    const session = await this.open()
    if (signal?.aborted) throw endedEarly()
    const { commits } = this.#options
    const isAlone = commits !== undefined && !this.#inTransaction && query.query.kind !== 'SelectQueryNode'
    const sent = this.#sendQueued(session, queued)
    const send = () => this.#send(session.client, query.sql, values)
    const running = isAlone ? this.#inOwnTransaction(session, send) : this.#until(signal, session, send())
    const [outcomes, last] = await Promise.all([sent, settled(running)])
    await this.#checkBegun(session)
    this.#checkQueued(session, queued, outcomes)
    if (last.status === 'rejected') throw this.#failed(last.reason, session, query.sql)
    return resultOf(last.value)
  }

  async write(queued: readonly QueuedWrite[], signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) throw endedEarly()
    const session = await this.open()
    const outcomes = await this.#until(signal, session, this.#sendQueued(session, queued))
    await this.#checkBegun(session)
    this.#checkQueued(session, queued, outcomes)
  }

  /** Sends statements in order, without waiting for the answers. */
  #sendQueued(session: ServerSession, queued: readonly QueuedWrite[]): Promise<PromiseSettledResult<pg.QueryResult>[]> {
    return Promise.allSettled(
      queued.map(async ({ query }) => this.#send(session.client, query.sql, query.parameters.map(bindable))),
    )
  }

  /** @throws FailedWrite for the first statement that failed; the later ones failed because of it */
  #checkQueued(
    session: ServerSession,
    queued: readonly QueuedWrite[],
    outcomes: readonly PromiseSettledResult<pg.QueryResult>[],
  ): void {
    for (const [place, write] of queued.entries()) {
      const outcome = outcomes[place]
      if (outcome?.status === 'rejected') throw new FailedWrite(write, this.#failed(outcome.reason, session, write.query.sql))
      if (outcome) checkResult(write, resultOf(outcome.value))
    }
  }

  /**
   * Sends the statements that begin a transaction; on the writer, they take the lock of all writers. It does not wait for the
   * answer, so the first query goes with it. If beginning fails, that query or the commit fails with the error.
   */
  async begin(signal?: AbortSignal, onBegun?: () => void): Promise<void> {
    if (signal?.aborted) throw endedEarly()
    const session = await this.open()
    if (signal?.aborted) throw endedEarly()
    const { commits } = this.#options
    this.#inTransaction = true
    this.#begun = settled(this.#until(signal, session, session.client.query(commits ? commits.begin : 'begin')).finally(onBegun))
  }

  /** @throws the error of the statement that began the transaction. Everything sent after it has failed too */
  async #checkBegun(session: ServerSession): Promise<void> {
    const begun = await this.#begun
    if (begun?.status === 'rejected') throw this.#failed(begun.reason, session, 'begin')
    this.#begun = undefined
  }

  /** @throws Failure `unavailable` if the commit failed, or if its outcome is unknown */
  async commit(queued: readonly QueuedWrite[] = []): Promise<void> {
    // Results with a check must be known before the commit.
    const isSeen = queued.some(({ check }) => check)
    if (isSeen) await this.write(queued)
    const last = isSeen ? [] : queued
    await this.#end('commit', async (session) => {
      await this.#checkBegun(session)
      const [outcomes, ended] = await Promise.all([this.#sendQueued(session, last), settled(this.#commit(session))])
      this.#checkQueued(session, last, outcomes)
      if (ended.status === 'rejected') throw ended.reason
    })
  }

  rollback(): Promise<void> {
    return this.#end('rollback', async (session) => {
      try {
        if (session.isOpen) await session.client.query('rollback')
      } catch (error) {
        session.destroy()
        throw error
      }
    })
  }

  async #end(how: string, run: (session: ServerSession) => Promise<void>): Promise<void> {
    const session = this.#session
    try {
      if (session) await run(session)
    } catch (error) {
      throw error instanceof FailedWrite ? error : this.#failed(error, session, how)
    } finally {
      this.#inTransaction = false
      this.#begun = undefined
      if (session?.isOpen) this.#dropNames(session)
    }
  }

  /** Waits for running queries and closes the connection. */
  async close(): Promise<void> {
    this.#closed = true
    const session = this.#session
    this.#session = undefined
    if (session?.isOpen) await session.end()
  }

  #send(client: pg.Client, text: string, values: readonly BoundValue[]): Promise<pg.QueryResult> {
    const name = this.#names.nameOf(text)
    return client.query(name === undefined ? { text, values: [...values] } : { name, text, values: [...values] })
  }

  async #inOwnTransaction(session: ServerSession, send: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> {
    const { commits } = this.#options
    if (!commits) return send()
    const [begun, ran, ended] = await Promise.allSettled([session.client.query(commits.begin), send(), this.#commit(session)])
    // The first error caused the others.
    if (begun.status === 'rejected') throw begun.reason
    if (ran.status === 'rejected') throw ran.reason
    if (ended.status === 'rejected') throw ended.reason
    return ran.value
  }

  async #commit(session: ServerSession): Promise<void> {
    const { commits } = this.#options
    if (!commits) return void (await session.client.query('commit'))
    await commits.commit(session)
  }

  /** Waits for a query, and cancels it when the signal aborts. When this returns, no cancellation is in progress. */
  async #until<T>(signal: AbortSignal | undefined, session: ServerSession, running: Promise<T>): Promise<T> {
    if (!signal) return running
    let cancelling: Promise<void> | undefined
    const ended = new AbortController()
    const cancel = async () => {
      const until = performance.now() + cancelForMs
      while (!ended.signal.aborted && session.isOpen) {
        if (performance.now() > until) return session.destroy()
        await this.#options.cancel(session.pid).catch(() => session.destroy())
        if (!ended.signal.aborted) await Promise.race([running.catch(() => undefined), sleep(cancelEveryMs)])
      }
    }
    const abort = () => void (cancelling = cancel())
    signal.addEventListener('abort', abort, { once: true })
    try {
      return await running
    } catch (error) {
      // The connection may have been closed because the query could not be cancelled.
      if (signal.aborted) throw endedEarly()
      throw error
    } finally {
      ended.abort()
      signal.removeEventListener('abort', abort)
      await cancelling
    }
  }

  /** Converts an error, and closes the connection if the error makes it unusable. */
  #failed(error: unknown, session: ServerSession | undefined, sql: string): Error {
    if (error instanceof Failure || error instanceof QueryError) return error
    if (isFatal(error)) session?.destroy()
    return storeError(error, sql, this.#options.settings.role)
  }

  /** Frees the prepared statements that left the cache. The driver stores their texts too, so they are deleted there. */
  #dropNames({ client }: ServerSession): void {
    const names = this.#names.takeDropped()
    if (names.length === 0) return
    const { parsedStatements } = client.connection as unknown as { parsedStatements: Record<string, string> }
    for (const name of names) delete parsedStatements[name]
    client.query(names.map((name) => `deallocate ${name}`).join(';')).catch(() => undefined)
  }
}

const settled = async <T>(running: Promise<T>): Promise<PromiseSettledResult<T>> => {
  const [outcome] = await Promise.allSettled([running])
  return outcome
}

const resultOf = ({ rows, rowCount }: pg.QueryResult): QueryResult<unknown> => ({ rows, numAffectedRows: BigInt(rowCount ?? 0) })

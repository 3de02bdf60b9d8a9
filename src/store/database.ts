// The interface of the database: one writer, readers for pages, readers for calls, and a notice when another process has committed. `sqlite/` and
// `postgres/` implement it. Nothing outside `store/` depends on which database it is.

import type { Kysely, Transaction } from 'kysely'
import type { Log } from '../log.ts'
import type { PostgresAddress } from './postgres/address.ts'
import type { Schema } from './schema.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { WriteTurns } from './write-turns.ts'

/** The parameter of functions that query the database: readers, the writer, or a transaction. */
export type Db = Kysely<Schema> | Transaction<Schema>

export interface Store {
  /** For words to people, and for what only one of them has. Queries must not depend on it. */
  readonly engine: 'SQLite' | 'PostgreSQL'
  /**
   * Readers for pages, credentials and health. Use them only for queries whose work is small whatever a caller sends, such as a look-up by
   * key. They refuse to write.
   */
  readonly read: Kysely<Schema>
  /**
   * Separate readers for the queries of calls, so that a long query takes no reader from pages. A query, or the wait for a reader, ends when
   * the signal aborts. Unknown callers have other readers than signed-in callers.
   */
  readFor(signal: AbortSignal, whose?: 'known' | 'unknown'): Kysely<Schema>
  /** The one writer. */
  readonly write: Kysely<Schema>
  /**
   * Runs `run` in a write transaction, which is rolled back if `run` throws. Only one transaction runs at a time across all processes, so
   * `run` must await nothing but the database.
   * @param signal when it aborts, the running query or the wait for the writer ends, and the transaction is rolled back
   * @throws Failure `unavailable` when the writer isn't free within five seconds, the signal aborts, or the disk fails
   * @throws ConstraintError, QueryError for a query that the database refuses
   */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Calls `fn` within a second after another process has committed. Commits of this process are not reported. If `fn` throws, it is called
   * again. Returns a function that ends the subscription.
   * @param onLook called after each successful look for such commits, with the time when the look began. What was committed before that time
   * has been reported
   */
  onForeignChange(fn: ForeignChange, onLook?: (beganAt: number) => void): () => void
  /** Names of all tables but the database's own. */
  listTables(): Promise<readonly string[]>
  /** Checks that the database can be written to now. @throws Failure `unavailable` */
  checkWritable(): Promise<void>
  /** Runs a quick check. Returns at most three sentences about damage; none if the database is sound. */
  findDamage(signal: AbortSignal): Promise<readonly string[]>
  /** Describes a fault of the database server, and its remedy; undefined if there is none, or if there is no server. */
  findServerFault(): Promise<{ readonly message: string; readonly fix: string } | undefined>
  /** The sizes of the database and of its write-ahead log, in bytes. */
  measureFiles(): Promise<{ readonly database: number; readonly log: number }>
  /** The time that queries and transactions have waited, since the start. */
  readonly waits: Readonly<Record<'read' | 'calls' | 'visitors' | 'write', Readonly<PoolNumbers>>>
  /** Waits for running queries, at most five seconds, and closes the database. */
  close(): Promise<void>
}

/**
 * A function that is called after a commit of another process.
 * @param mayLack whether the database may lack commits that it had before, since another server has taken over
 */
export type ForeignChange = (mayLack: boolean) => void | Promise<void>

/** Figures of a pool of connections, since the start. */
export interface PoolNumbers {
  /** Borrowers that are waiting now. */
  waiting: number
  /** Borrowers that had to wait. */
  waits: number
  /** The sum of their waits. */
  waitedMs: number
  /** Borrowers whose wait ended without a connection. */
  refused: number
  /** The sum of the times that transactions took to begin. On the writer, this includes waiting for another process's lock. */
  beginMs: number
}

/** Which database: the path of an SQLite file, or the address of a PostgreSQL database. */
export type DatabasePlace = { readonly path: string } | { readonly postgres: PostgresAddress }

export interface StoreOptions {
  /**
   * Number of readers for pages, for calls of known callers, and for calls of unknown callers. On SQLite, each running query occupies one of
   * libuv's four threads. With the defaults, calls leave one thread for pages, the writer and files.
   */
  readonly readers?: number
  readonly callReaders?: number
  readonly visitorReaders?: number
  readonly log: Log
  /** The time between two looks for changes of other processes. */
  readonly pollMs?: number
  /** The longest wait for a free connection, and for another process's lock. */
  readonly waitMs?: number
  /** The turns of writers among those of other processes; left out where the database's own lock is enough. */
  readonly turns?: WriteTurns | undefined
}

/**
 * Opens the database. An SQLite file is created if there is none; its folder must exist. In a PostgreSQL database, the schema is created.
 * @throws Failure `unavailable` if it can't be opened or reached; `refused` if it is not a database that a site can use
 */
export async function openStore(options: DatabasePlace & StoreOptions): Promise<Store> {
  if ('path' in options) return openSqliteStore(options.path, options)
  const { openPostgresStore } = await import('./postgres/store.ts')
  return openPostgresStore(options.postgres, options)
}

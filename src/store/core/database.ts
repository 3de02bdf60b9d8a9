// The interface of the database: one writer, readers for pages, readers for calls, and a subscription to the commits of other
// processes. `sqlite/` and `postgres/` implement it. Nothing outside `store/` depends on the engine.

import type { Kysely, Transaction } from 'kysely'
import type { Log } from '../../base/log.ts'
import type { PostgresAddress } from '../postgres/address.ts'
import type { Schema } from './schema.ts'
import { openSqliteStore } from '../sqlite/store.ts'
import type { WriteTurns } from './write-turns.ts'

/** The parameter of functions that query the database: readers, the writer, or a transaction. */
export type Db = Kysely<Schema> | Transaction<Schema>

export interface Store {
  /** The engine, for messages and for features that only one engine has. Queries must not depend on it. */
  readonly engine: 'SQLite' | 'PostgreSQL'
  /**
   * Readers for pages, credentials and health. They refuse to write. Use them only for queries that stay cheap whatever a caller
   * sends, such as a look-up by key.
   */
  readonly read: Kysely<Schema>
  /**
   * Separate readers for the queries of calls, so that a long query takes no reader from pages. A query, or the wait for a reader,
   * ends when the signal aborts. Unknown callers have other readers than signed-in callers.
   */
  readFor(signal: AbortSignal, whose?: 'known' | 'unknown'): Kysely<Schema>
  /** The one writer. */
  readonly write: Kysely<Schema>
  /**
   * Runs `run` in a write transaction, which is rolled back if `run` throws. Only one transaction runs at a time across all
   * processes, so `run` must await nothing but the database.
   * @param signal when it aborts, the running query or the wait for the writer ends, and the transaction is rolled back
   * @throws Failure `unavailable` when the writer isn't free within five seconds, the signal aborts, or the disk fails
   * @throws ConstraintError, QueryError for a query that the database refuses
   */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Calls `fn` within a second after a commit of another process. If `fn` throws, it is called again. Returns a function that ends
   * the subscription.
   * @param onLook called after each successful look for such commits, with the time at which the look began. All commits before
   * that time have been reported
   */
  onForeignChange(fn: ForeignChange, onLook?: (beganAt: number) => void): () => void
  /** Returns the names of all tables except the database's own. */
  listTables(): Promise<readonly string[]>
  /** Checks that the database can be written to now. @throws Failure `unavailable` */
  checkWritable(): Promise<void>
  /** Runs a quick check. Returns at most three sentences about damage; none if the database is sound. */
  findDamage(signal: AbortSignal): Promise<readonly string[]>
  /** Describes a fault of the database server, and its remedy; undefined if there is none, or if there is no server. */
  findServerFault(): Promise<{ readonly message: string; readonly fix: string } | undefined>
  /** The sizes of the database and of its write-ahead log, in bytes. */
  measureFiles(): Promise<{ readonly database: number; readonly log: number }>
  /** Figures of each pool of connections. */
  readonly waits: Readonly<Record<'read' | 'calls' | 'visitors' | 'write', Readonly<PoolNumbers>>>
  /** Waits for running queries, at most five seconds, and closes the database. */
  close(): Promise<void>
}

/**
 * A function that is called after a commit of another process.
 * @param mayLack true if another server has taken over, so that the database may lack commits that it had before
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
  /** The sum of the times that transactions took to begin. For the writer, this includes the wait for another process's lock. */
  beginMs: number
}

/** The place of the database: the path of an SQLite file, or the address of a PostgreSQL database. */
export type DatabasePlace = { readonly path: string } | { readonly postgres: PostgresAddress }

export interface StoreOptions {
  /**
   * The numbers of readers for pages, for calls of known callers, and for calls of unknown callers. On SQLite, each running query
   * occupies one of libuv's four threads. With the defaults, calls leave one thread for pages, the writer and files.
   */
  readonly readers?: number
  readonly callReaders?: number
  readonly visitorReaders?: number
  readonly log: Log
  /** The time between two looks for changes of other processes. */
  readonly pollMs?: number
  /** The longest wait for a free connection, and for another process's lock. */
  readonly waitMs?: number
  /** The queue of writers of all processes; left out if the database's own lock is enough. */
  readonly turns?: WriteTurns | undefined
}

/**
 * Opens the database. A missing SQLite file or PostgreSQL schema is created; the folder of the file must exist.
 * @throws Failure `unavailable` if the database can't be opened or reached; `refused` if a site can't use it
 */
export async function openStore(options: DatabasePlace & StoreOptions): Promise<Store> {
  if ('path' in options) return openSqliteStore(options.path, options)
  const { openPostgresStore } = await import('../postgres/store.ts')
  return openPostgresStore(options.postgres, options)
}

// What a database must do for the site: one writer, readers for pages, readers for calls, and a notice when another process has committed.
// It knows no table. SQLite does it in `sqlite/`; nothing outside `store/` knows which database it is.

import type { Kysely, Transaction } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from './schema.ts'
import { openSqliteStore } from './sqlite/store.ts'

/** What store functions take: the readers, the writer, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>

export interface Store {
  /**
   * Several readers, each query on any of them; they refuse to write. They are for pages, credentials and health: only for queries whose
   * work is small whatever a caller sends, such as a look-up by key.
   */
  readonly read: Kysely<Schema>
  /**
   * Other readers, for the queries of calls. A query ends when the signal aborts, and so does the wait for a reader: however long such
   * queries are, they keep no reader from pages. Unknown callers have readers apart from those of callers who are signed in.
   */
  readFor(signal: AbortSignal, whose?: 'known' | 'unknown'): Kysely<Schema>
  /** The one writer. */
  readonly write: Kysely<Schema>
  /**
   * Runs `run` in a write transaction: all of it or, when it throws, nothing. There is one at a time across all processes,
   * so `run` awaits nothing but the database.
   * @param signal when it aborts, the query that runs and the wait for the writer end; the transaction is then rolled back
   * @throws Failure `unavailable` when the writer isn't free within five seconds, the signal aborts, or the disk fails
   * @throws ConstraintError, QueryError for a query that the database refuses
   */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Calls `fn` within a second after another process has committed something, never for commits made here. When `fn` throws
   * it is called again. Returns a function that ends the subscription.
   */
  onForeignChange(fn: () => void | Promise<void>): () => void
  /** Names of all tables but the database's own. */
  listTables(): Promise<readonly string[]>
  /** What a quick check finds damaged, at most three sentences; empty when the database is sound. */
  findDamage(signal: AbortSignal): Promise<readonly string[]>
  /** Bytes on the disk: of the database, and of the log of commits that are not in it yet. */
  measureFiles(): Promise<{ readonly database: number; readonly log: number }>
  /** How long queries and transactions have waited, since the start. */
  readonly waits: Readonly<Record<'read' | 'calls' | 'visitors' | 'write', Readonly<PoolNumbers>>>
  /** Waits for running queries, at most five seconds, and closes the database. */
  close(): Promise<void>
}

/** Figures of a pool of connections, since the start. */
export interface PoolNumbers {
  /** Borrowers that wait now. */
  waiting: number
  /** Borrowers that had to wait. */
  waits: number
  /** How long they waited, in sum. */
  waitedMs: number
  /** Borrowers that waited in vain. */
  refused: number
  /** How long transactions took to begin, in sum: on the writer, the wait for another process's lock. */
  beginMs: number
}

export interface StoreOptions {
  readonly path: string
  /**
   * Number of readers for pages, for calls of known callers, and for those of unknown ones. Each running query occupies one of libuv's four
   * threads: calls leave one of them to pages, to the writer and to files.
   */
  readonly readers?: number
  readonly callReaders?: number
  readonly visitorReaders?: number
  readonly log: Log
  /** How often to look for changes of other processes. */
  readonly pollMs?: number
  /** How long to wait for a free connection, and for another process's lock. */
  readonly waitMs?: number
}

/**
 * Opens the database, and creates it where there is none; its folder must exist.
 * @throws Failure `unavailable` when it can't be opened, `refused` when the file is no database
 */
export function openStore(options: StoreOptions): Promise<Store> {
  return openSqliteStore(options)
}

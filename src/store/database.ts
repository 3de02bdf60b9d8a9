// The store: one writer, readers for pages, readers for calls, and word of what another process changed. It knows no table;
// migrations are run by `migrate.ts`, and queries belong to whoever owns the rows.

import { Kysely, type Transaction } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from './schema.ts'
import { createSqliteDialect } from './sqlite/dialect.ts'
import { createPool, type Pool, type PoolNumbers } from './sqlite/pool.ts'
import { openConnection, type SqliteConnection } from './sqlite/connection.ts'
import { type ForeignChanges, watchForeignChanges } from './sqlite/foreign-changes.ts'

/** What store functions take: the readers, the writer, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>

export interface Store {
  /**
   * Several readers, each query on any of them; they refuse to write. They are for pages, credentials and health: only queries whose
   * work is small whatever a caller sends, such as a look-up by key.
   */
  readonly read: Kysely<Schema>
  /**
   * Other readers, for what a call asks. Its queries end when the signal aborts, and so does their wait for a reader: however long
   * they are, they keep no reader from pages. Callers whom nobody knows have readers apart from those who are signed in.
   */
  readFor(signal: AbortSignal, whose?: 'known' | 'unknown'): Kysely<Schema>
  /** The one writer. */
  readonly write: Kysely<Schema>
  /**
   * Runs `run` in a write transaction: all of it or, when it throws, nothing. There is one at a time in all processes,
   * so `run` awaits nothing but the database.
   * @param signal ends the query that runs, and the wait for the writer, when it aborts; the transaction is then rolled back
   * @throws Failure `unavailable` when the writer isn't free within five seconds, the signal aborts, or the disk fails
   */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>, signal?: AbortSignal): Promise<T>
  /**
   * Tells within a second that another process has committed something; never of commits made here. When `fn` throws
   * it is told again. Returns what ends it.
   */
  onForeignChange(fn: () => void | Promise<void>): () => void
  /** How long queries and transactions have waited, since the start. */
  readonly waits: Readonly<Record<'read' | 'calls' | 'visitors' | 'write', Readonly<PoolNumbers>>>
  /** Waits for what runs, at most five seconds, and closes the file. */
  close(): Promise<void>
}

export interface StoreOptions {
  readonly path: string
  /**
   * Readers for pages, for calls of known callers, and for those of unknown ones. Each query that runs has one of libuv's four threads:
   * whatever calls ask leaves one to pages, to the writer and to files.
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
 * Opens the database, made where there is none; its folder must exist.
 * @throws Failure `unavailable` when the file can't be opened, `refused` when it is no database
 */
export async function openStore({
  path,
  readers = 2,
  callReaders = 2,
  visitorReaders = 1,
  log,
  pollMs = 400,
  waitMs = 5000,
}: StoreOptions): Promise<Store> {
  // The writer first: it makes the file and sets WAL, which readers can't.
  const writer = await openConnection({ path, role: 'writer', busyMs: waitMs })
  const connections = [writer]
  const openReaders = async (count: number) => {
    const opened: SqliteConnection[] = []
    while (opened.length < count) {
      const reader = await openConnection({ path, role: 'reader', busyMs: waitMs })
      opened.push(reader)
      connections.unshift(reader)
    }
    return createPool(opened, waitMs)
  }
  try {
    const pools = {
      read: await openReaders(readers),
      calls: await openReaders(callReaders),
      visitors: await openReaders(visitorReaders),
      write: createPool([writer], waitMs),
    }
    return storeOver(pools, await watchForeignChanges({ writer, pollMs, log }))
  } catch (error) {
    await Promise.all(connections.map((connection) => connection.close()))
    throw error
  }
}

interface Pools {
  readonly read: Pool
  readonly calls: Pool
  readonly visitors: Pool
  readonly write: Pool
}

function storeOver(pools: Pools, watch: ForeignChanges): Store {
  const over = (pool: Pool, signal?: AbortSignal) => new Kysely<Schema>({ dialect: createSqliteDialect(pool, signal) })
  const read = over(pools.read)
  const write = over(pools.write)
  return {
    read,
    write,
    readFor: (signal, whose = 'known') => over(whose === 'known' ? pools.calls : pools.visitors, signal),
    waits: {
      read: pools.read.numbers,
      calls: pools.calls.numbers,
      visitors: pools.visitors.numbers,
      write: pools.write.numbers,
    },
    transaction: (run, signal) => (signal ? over(pools.write, signal) : write).transaction().execute(run),
    onForeignChange: (fn) => watch.subscribe(fn),
    async close() {
      await watch.stop()
      await read.destroy()
      await write.destroy()
      await Promise.all([pools.read, pools.calls, pools.visitors].map((pool) => pool.close()))
      // The writer goes last: it alone empties the log and takes it away.
      await pools.write.close()
    },
  }
}

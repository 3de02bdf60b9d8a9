// The store: one writer, several readers, and word of what another process changed. It knows no table;
// migrations are run by `migrate.ts`, and queries belong to whoever owns the rows.

import { Kysely, type Transaction } from 'kysely'
import type { Log } from '../log.ts'
import type { Schema } from './schema.ts'
import { createSqliteDialect } from './sqlite-dialect.ts'
import { type PoolNumbers, poolNumbers } from './sqlite-pool.ts'
import { openConnection, type SqliteConnection } from './sqlite-connection.ts'
import { watchForeignChanges } from './foreign-changes.ts'

/** What store functions take: the readers, the writer, or a transaction on it. */
export type Db = Kysely<Schema> | Transaction<Schema>

export interface Store {
  /** Several readers, each query on any of them; they refuse to write. */
  readonly read: Kysely<Schema>
  /** The one writer. */
  readonly write: Kysely<Schema>
  /**
   * Runs `run` in a write transaction: all of it or, when it throws, nothing. There is one at a time in all processes,
   * so `run` awaits nothing but the database.
   * @throws Failure `unavailable` when the writer isn't free within five seconds, or the disk fails
   */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>): Promise<T>
  /**
   * Tells within a second that another process has committed something; never of commits made here. When `fn` throws
   * it is told again. Returns what ends it.
   */
  onForeignChange(fn: () => void | Promise<void>): () => void
  /** How long queries and transactions have waited, since the start. */
  readonly waits: { readonly read: Readonly<PoolNumbers>; readonly write: Readonly<PoolNumbers> }
  /** Waits for what runs, at most five seconds, and closes the file. */
  close(): Promise<void>
}

export interface StoreOptions {
  readonly path: string
  readonly readers?: number
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
export async function openStore({ path, readers = 3, log, pollMs = 400, waitMs = 5000 }: StoreOptions): Promise<Store> {
  // The writer first: it makes the file and sets WAL, which readers can't.
  const writer = await openConnection({ path, role: 'writer', busyMs: waitMs })
  const readerConnections: SqliteConnection[] = []
  try {
    while (readerConnections.length < readers)
      readerConnections.push(await openConnection({ path, role: 'reader', busyMs: waitMs }))
  } catch (error) {
    await Promise.all([writer, ...readerConnections].map((connection) => connection.close()))
    throw error
  }
  const waits = { read: poolNumbers(), write: poolNumbers() }
  const read = new Kysely<Schema>({
    dialect: createSqliteDialect({ connections: readerConnections, waitMs, numbers: waits.read }),
  })
  const write = new Kysely<Schema>({ dialect: createSqliteDialect({ connections: [writer], waitMs, numbers: waits.write }) })
  const watch = await watchForeignChanges({ writer, pollMs, log })
  return {
    read,
    write,
    waits,
    transaction: (run) => write.transaction().execute(run),
    onForeignChange: (fn) => watch.subscribe(fn),
    async close() {
      await watch.stop()
      // Kysely leaves alone a connection that was never used. The writer goes last: it alone empties the log and takes it away.
      await read.destroy()
      await Promise.all(readerConnections.map((connection) => connection.close()))
      await write.destroy()
      await writer.close()
    },
  }
}

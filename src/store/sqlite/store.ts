// The store for one SQLite file: a pool of connections for each use, and the watch for commits of other processes.

import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import { unlessMissing } from '../../base/missing.ts'
import type { Store, StoreOptions } from '../core/database.ts'
import { createPool } from '../core/pool.ts'
import { closeReaders, createPooled, type Pools } from '../core/pooled.ts'
import type { Schema } from '../core/schema.ts'
import { type Checkpoints, createCheckpoints } from './checkpoints.ts'
import { openConnection, type SqliteConnection } from './connection.ts'
import { sqliteDialect } from './dialect.ts'
import { isDamage } from './errors.ts'
import { type ForeignChanges, watchForeignChanges } from './foreign-changes.ts'
import { inTurn } from '../core/write-turns.ts'

/** Opens the store of a file, as `openStore` does. */
export async function openSqliteStore(
  path: string,
  { readers = 2, callReaders = 2, visitorReaders = 1, log, pollMs = 400, waitMs = 5000, turns }: StoreOptions,
): Promise<Store> {
  // The writer is opened first: it creates the file and switches it to WAL, which readers can't do.
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
      write: inTurn(createPool([writer], waitMs), turns),
    }
    const checkpointer = await openConnection({ path, role: 'writer', busyMs: waitMs, statements: 0 })
    connections.unshift(checkpointer)
    const watch = await watchForeignChanges({ writer, pollMs, log })
    const checkpoints = createCheckpoints(checkpointer, (error) => log.warn('no checkpoint made', { error: String(error) }))
    const closeCheckpoints = async () => {
      await checkpoints.stop()
      await checkpointer.close()
    }
    return storeOver(path, pools, watch, { ...checkpoints, stop: closeCheckpoints })
  } catch (error) {
    await Promise.all(connections.map((connection) => connection.close()))
    throw error
  }
}

function storeOver(path: string, pools: Pools<SqliteConnection>, watch: ForeignChanges, checkpoints: Checkpoints): Store {
  const pooled = createPooled(pools, sqliteDialect)
  const transaction: Store['transaction'] = async (run, signal) => {
    const value = await pooled.transaction(run, signal)
    checkpoints.noteCommit()
    return value
  }
  return {
    engine: 'SQLite',
    ...pooled,
    transaction,
    onForeignChange: (fn, onLook) => watch.subscribe(fn, onLook),
    checkWritable: () => transaction(async () => undefined),
    listTables: () => listTables(pooled.read),
    findServerFault: async () => undefined,
    findDamage: (signal) => quickCheck(pooled.readFor(signal)),
    measureFiles: async () => ({ database: await sizeOf(path), log: await sizeOf(`${path}-wal`) }),
    async close() {
      await watch.stop()
      await checkpoints.stop()
      await closeReaders(pools)
      // The writer is closed last, because only a writer can empty and remove the write-ahead log.
      await pools.write.close()
    },
  }
}

/** Returns the size of a file in bytes; 0 if it doesn't exist. */
const sizeOf = async (path: string): Promise<number> => (await unlessMissing(stat(path)))?.size ?? 0

async function listTables(db: Kysely<Schema>): Promise<readonly string[]> {
  const { rows } = await sql<{
    name: string
  }>`select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name`.execute(db)
  return rows.map(({ name }) => name)
}

async function quickCheck(db: Kysely<Schema>): Promise<readonly string[]> {
  try {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(3)`.execute(db)
    return rows.map(({ quick_check: fault }) => fault).filter((fault) => fault !== 'ok')
  } catch (error) {
    // The check itself fails on a file with a damaged beginning.
    if (isDamage(error)) return [error.message]
    throw error
  }
}

// The store for a PostgreSQL database: a pool of connections for each use, and the watch for commits of other processes.

import { randomUUID } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { Failure } from '../../base/failure.ts'
import type { Store, StoreOptions } from '../core/database.ts'
import { createPool } from '../core/pool.ts'
import { closeReaders, createPooled, type Pools } from '../core/pooled.ts'
import type { Schema } from '../core/schema.ts'
import type { PostgresAddress } from './address.ts'
import { channelOf, commitTable, type Commits, createCommits, lockKey } from './commits.ts'
import { ConnectFault, createConnector, type ServerSession, type SessionSettings, toOwner } from './connect.ts'
import { PostgresConnection } from './connection.ts'
import { findDamage } from './damage.ts'
import { listSchemaTables, postgresDialect } from './dialect.ts'
import { type CommitWatch, watchCommits } from './foreign-changes.ts'
import { prepareSchema } from './prepare-schema.ts'
import { checkLocks, checkOwnProcess, createEntrance } from './site-lock.ts'
import { type StallWatch, watchForStalls } from './stalls.ts'

/** Opens the store of a database, as `openStore` does. Most connections are opened on first use. */
export async function openPostgresStore(address: PostgresAddress, options: StoreOptions): Promise<Store> {
  const { readers = 2, callReaders = 3, visitorReaders = 1, log, pollMs = 400, waitMs = 5000 } = options
  const connector = createConnector(address)
  // The silence after which the server ends a transaction, so that a process that hangs doesn't stop all writers.
  const idleMs = Math.min(5000, 5 * waitMs)
  const settingsOf = (role: SessionSettings['role']): SessionSettings => ({ role, lockMs: waitMs, idleMs })
  const commits = createCommits(address.schema, () => connector.connect(settingsOf('writer')), 3 * waitMs)
  const entrance = createEntrance(address.schema)
  let watch: CommitWatch | undefined
  let stalls: StallWatch | undefined
  const cancel = async (pid: number) => watch?.cancel(pid)
  const connectionOf = (role: SessionSettings['role'], own?: Commits) =>
    new PostgresConnection({
      connector,
      settings: settingsOf(role),
      cancel,
      onConnect: entrance.enter,
      ...(own ? { commits: own } : {}),
    })
  const readerPool = (count: number) =>
    createPool(
      Array.from({ length: count }, () => connectionOf('reader')),
      waitMs,
    )
  const writer = connectionOf('writer', commits)
  try {
    const opened = await writer.open()
    const beside = await connector.connect(settingsOf('reader'))
    try {
      await checkOwnProcess(opened, beside)
    } finally {
      await beside.end()
    }
    await prepareSchema(opened.client, address, commits)
    await entrance.remember(opened)
    let isChecked = false
    const connect = () => connector.connect({ ...settingsOf('reader'), idleMs: 0 })
    const onConnect = async (session: ServerSession) => {
      await entrance.enter(session)
      if (isChecked) return
      await session.client.query(`listen "${commits.channel}"`)
      await checkLocks(opened, session, address.schema, waitMs)
      isChecked = true
    }
    watch = await watchCommits({
      connect,
      onConnect,
      writer: commits.writer,
      channel: commits.channel,
      writeLock: lockKey(address.schema, 'write'),
      pollMs,
      log,
    })
    stalls = watchForStalls({
      sessions: connector.sessions,
      findBusy: watch.findBusy,
      everyMs: pollMs,
      // Without a due answer for so long, a connection counts as lost, unless the server reports that it is working on one.
      silentMs: Math.min(3000, 3 * waitMs),
    })
    const pools = {
      read: readerPool(readers),
      calls: readerPool(callReaders),
      visitors: readerPool(visitorReaders),
      write: createPool([writer], waitMs),
    }
    return storeOver(address, pools, watch, stalls)
  } catch (error) {
    stalls?.stop()
    await watch?.stop()
    await writer.close()
    throw toOwner(error)
  }
}

function storeOver(address: PostgresAddress, pools: Pools<PostgresConnection>, watch: CommitWatch, stalls: StallWatch): Store {
  const { schema } = address
  const pooled = createPooled(pools, postgresDialect(schema))
  const { read, readFor } = pooled
  return {
    engine: 'PostgreSQL',
    ...pooled,
    onForeignChange: (fn, onLook) => watch.subscribe(fn, onLook),
    checkWritable: () => checkWritable(read),
    findServerFault: () => findServerFault(read, watch, channelOf(schema)),
    listTables: async () => (await listSchemaTables(read, schema)).filter((name) => name !== commitTable),
    findDamage: (signal) => findDamage(readFor(signal), schema),
    measureFiles: () => measure(read, schema),
    async close() {
      await watch.stop()
      await Promise.all([closeReaders(pools), pools.write.close()])
      // This comes last, because a running query may wait for a server that has gone silent.
      stalls.stop()
    },
  }
}

/** Asks on a reader, because a probe behind many waiting writers would fail. */
async function checkWritable(db: Kysely<Schema>): Promise<void> {
  if (await isStandby(db)) throw new Failure('unavailable', standby.message, { retry_after: 5, hint: standby.fix })
}

const standby = {
  message: 'The database is a standby, which can not be written to.',
  fix: 'POSTERN_DATABASE_URL must name the primary, or all hosts: postgres://postern@db1.example.org,db2.example.org/postern',
}

/** True if the server is a standby, or if only a standby can be reached. */
async function isStandby(db: Kysely<Schema>): Promise<boolean> {
  try {
    const { rows } = await sql<{ standby: number }>`select pg_is_in_recovery() as standby`.execute(db)
    return rows[0]?.standby === 1
  } catch (error) {
    if (error instanceof Failure && error.cause instanceof ConnectFault && error.cause.isStandby) return true
    throw error
  }
}

/** The longest time for a notification. */
const notifiedMs = 2000

async function findServerFault(db: Kysely<Schema>, watch: CommitWatch, channel: string): ReturnType<Store['findServerFault']> {
  if (await isStandby(db)) return standby
  const nonce = `probe ${randomUUID()}`
  const arrived = watch.hears(nonce, notifiedMs)
  await sql`select pg_notify(${channel}, ${nonce})`.execute(db)
  if (await arrived) return undefined
  return {
    message:
      'Notifications of the database do not arrive, so that a change on another node is noticed late. Is there a pooler before it?',
    fix: 'POSTERN_DATABASE_URL must lead to PostgreSQL directly, or to a pooler with pool_mode = session; then: systemctl restart postern',
  }
}

/** Returns the size of the schema's tables with their indexes. The write-ahead log belongs to the server and counts as 0. */
async function measure(db: Kysely<Schema>, schema: string): Promise<{ readonly database: number; readonly log: number }> {
  const { rows } = await sql<{ bytes: number }>`select coalesce(sum(pg_total_relation_size(c.oid)), 0) as bytes
    from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind = 'r'`.execute(db)
  return { database: rows[0]?.bytes ?? 0, log: 0 }
}

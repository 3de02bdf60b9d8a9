// The locks by which processes know that a site is open, and the check that the server's locks and notifications work.

import { randomBytes } from 'node:crypto'
import { Failure } from '../../base/failure.ts'
import { unavailable } from '../core/errors.ts'
import { channelOf, commitTable, lockKey } from './commits.ts'
import { ConnectFault, type ServerSession } from './connect.ts'

const direct = 'connect to PostgreSQL directly, or through a pooler in session mode, not in transaction mode'

/**
 * Takes the lock that all connections to an open site share, and that a restore takes alone. Each connection takes it, so that a
 * store has the lock as long as it has any connection.
 * @throws Failure `unavailable` during a restore
 */
export async function shareSite({ client }: ServerSession, schema: string): Promise<void> {
  const { rows } = await client.query<{ held: number }>(`select pg_try_advisory_lock_shared(${lockKey(schema, 'home')}) as held`)
  if (rows[0]?.held !== 1) throw unavailable('A backup is being restored into the database: start again when that has ended.', 10)
}

/**
 * Takes the exclusive lock of a site, until the connection ends.
 * @throws Failure `refused` while anyone has the site open
 */
export async function takeSiteAlone({ client }: ServerSession, schema: string): Promise<void> {
  const { rows } = await client.query<{ held: number }>(`select pg_try_advisory_lock(${lockKey(schema, 'home')}) as held`)
  if (rows[0]?.held === 1) return
  throw new Failure('refused', `The site in the schema ${schema} is in use: stop the service on all machines first.`, {
    rule: 'nobody has the site open while it is replaced',
    hint: 'systemctl stop postern.socket postern.service',
  })
}

/** The prefix of the rows of completed restores in the table of commits. These rows are never deleted. */
export const restoreSign = 'restore '

/**
 * Returns the number of backups that were restored into the schema. A store that remembers another number was opened on an earlier
 * site.
 */
export async function countRestores({ client }: ServerSession): Promise<number> {
  const { rows } = await client.query<{ n: number }>(
    `select count(*) as n from ${commitTable} where writer like '${restoreSign}%'`,
  )
  return rows[0]?.n ?? 0
}

/** The check of each new connection of a store. */
export interface SiteEntrance {
  /** @throws Failure `unavailable` during a restore, and after a restore while this store had no connection */
  enter(session: ServerSession): Promise<void>
  /** Remembers the site that the store has opened. It must be called after `enter`, when the table of commits exists. */
  remember(session: ServerSession): Promise<void>
}

export function createEntrance(schema: string): SiteEntrance {
  let restores: number | undefined
  return {
    async enter(session) {
      await shareSite(session, schema)
      if (restores === undefined || (await countRestores(session)) === restores) return
      throw unavailable('A backup was restored into the database while this process had no connection to it: restart it.', 60)
    },
    async remember(session) {
      restores = await countRestores(session)
    },
  }
}

/**
 * Checks that each connection has its own server process. A pooler that lends connections per transaction gives the same process to
 * two idle connections, or several processes to one connection.
 * @throws ConnectFault
 */
export async function checkOwnProcess(one: ServerSession, other: ServerSession): Promise<void> {
  // Two checks of one connection in a row, because a pooler that rotates its connections could give each its own again.
  for (const session of [other, other, one]) {
    const { rows } = await session.client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]?.pid !== session.pid || one.pid === other.pid)
      throw new ConnectFault(`A pooler before the database lends connections per transaction: ${direct}.`, false)
  }
}

/**
 * Checks that a lock of one connection excludes another, and that notifications arrive. Some databases that speak PostgreSQL's
 * protocol have locks without effect. A pooler that lends connections per transaction loses locks and `LISTEN`.
 * @param notifiedMs the longest time for a notification
 * @throws ConnectFault
 */
export async function checkLocks(
  writer: ServerSession,
  listener: ServerSession,
  schema: string,
  notifiedMs: number,
): Promise<void> {
  const key = randomBytes(8).readBigInt64BE().toString()
  const nonce = `probe ${randomBytes(8).toString('hex')}`
  const first = await tryLock(writer, key)
  const second = await tryLock(listener, key)
  await writer.client.query(`select pg_advisory_unlock(${key})`)
  if (!first || second) {
    throw new ConnectFault(
      'Advisory locks of this database exclude nobody, so two processes would overwrite each other: use PostgreSQL itself, and connect to it directly.',
      false,
    )
  }
  const arrived = notified(listener, nonce, notifiedMs)
  await writer.client.query('select pg_notify($1, $2)', [channelOf(schema), nonce])
  if (await arrived) return
  throw new ConnectFault(`Notifications of this database do not arrive: ${direct}.`, false)
}

async function tryLock({ client }: ServerSession, key: string): Promise<boolean> {
  const { rows } = await client.query<{ held: number }>(`select pg_try_advisory_lock(${key}) as held`)
  return rows[0]?.held === 1
}

/** Returns true if the notification arrives in time. */
export function notified({ client }: ServerSession, nonce: string, notifiedMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const heard = ({ payload }: { readonly payload?: string | undefined }) => {
      if (payload === nonce) end(true)
    }
    const end = (arrived: boolean) => {
      clearTimeout(timer)
      client.off('notification', heard)
      resolve(arrived)
    }
    const timer = setTimeout(() => end(false), notifiedMs)
    client.on('notification', heard)
  })
}

// The locks that tell other processes that a site is open, and the test whether a server's locks and notifications work at all.

import { randomBytes } from 'node:crypto'
import { unavailable } from '../errors.ts'
import { channelOf, lockKey } from './commits.ts'
import { ConnectFault, type ServerSession } from './connect.ts'

const direct = 'connect to PostgreSQL directly, or through a pooler in session mode, not in transaction mode'

/**
 * Takes the lock that all processes share which have the site open. A restore has it alone.
 * @throws Failure `unavailable` while a restore has it
 */
export async function shareSite({ client }: ServerSession, schema: string): Promise<void> {
  const { rows } = await client.query<{ held: number }>(`select pg_try_advisory_lock_shared(${lockKey(schema, 'home')}) as held`)
  if (rows[0]?.held !== 1) throw unavailable('A backup is being restored into the database: start again when that has ended.', 10)
}

/**
 * Checks that each connection has a server process of its own. A pooler that lends connections per transaction gives two idle connections the same
 * process, or one connection several.
 * @throws ConnectFault
 */
export async function checkOwnProcess(one: ServerSession, other: ServerSession): Promise<void> {
  // Twice in a row, because a pooler that lends its connections in turn could give each its own again.
  for (const session of [other, other, one]) {
    const { rows } = await session.client.query<{ pid: number }>('select pg_backend_pid() as pid')
    if (rows[0]?.pid !== session.pid || one.pid === other.pid)
      throw new ConnectFault(`A pooler before the database lends connections per transaction: ${direct}.`, false)
  }
}

/**
 * Checks that a lock of one connection excludes another connection, and that a notification arrives. In some databases that speak PostgreSQL's protocol,
 * locks do nothing; behind a pooler that lends connections per transaction, locks and `LISTEN` are lost.
 * @param notifiedMs how long a notification may take to arrive
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

/** Whether a notification arrives in time. */
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

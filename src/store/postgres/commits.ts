// The lock of all writers, and the record of commits. Each store that writes has one row in `postern_commit`, whose number rises
// with each commit. Other processes compare these numbers to find foreign commits. A process that lost its connection during a
// commit reads its number to learn the outcome.

import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { QueryError, unavailable } from '../core/errors.ts'
import type { ServerSession } from './connect.ts'
import { codeOf, connectionLost, isFatal } from './errors.ts'

export interface Commits {
  /** The id of this store, which its notifications contain. */
  readonly writer: string
  readonly channel: string
  /** The statements that begin a write transaction. */
  readonly begin: string
  /**
   * Commits the transaction in one round trip. If the connection is lost during the commit, the outcome is read on a new
   * connection.
   * @throws Failure `unavailable` if the transaction was not committed, or if the outcome is unknown
   */
  commit(session: ServerSession): Promise<void>
}

/** The table of commits. It belongs to the store, not to the schema of the site, so `listTables` omits it. */
export const commitTable = 'postern_commit'

/** Returns the key of an advisory lock. It depends on the schema, because two sites may share a database. */
export function lockKey(schema: string, purpose: 'write' | 'home'): string {
  return createHash('sha256').update(`postern ${purpose} ${schema}`).digest().readBigInt64BE().toString()
}

export const channelOf = (schema: string): string => `postern_${schema}`.slice(0, 63)

const tryAgainMs = 200

/**
 * Writes the row and notifies other processes, if the transaction has written anything. The transaction holds the lock of all
 * writers, so no process waits for this row.
 */
const record = {
  name: 'postern_commit',
  text: `with written as (
      insert into ${commitTable} (writer, commits, at)
      select $1::text, $2::bigint, (extract(epoch from now()) * 1000)::bigint where pg_current_xact_id_if_assigned() is not null
      on conflict (writer) do update set commits = excluded.commits, at = excluded.at
      returning writer)
    select pg_notify($3::text, writer) from written`,
}

/**
 * @param reconnect opens a new connection of the writer
 * @param findOutMs the longest time for learning the outcome of a commit
 */
export function createCommits(schema: string, reconnect: () => Promise<ServerSession>, findOutMs: number): Commits {
  const writer = randomUUID()
  const channel = channelOf(schema)
  const begin = `begin; select pg_advisory_xact_lock(${lockKey(schema, 'write')})`
  let made = 0

  /**
   * Returns true if a commit was made. It waits until the server has ended the lost transaction, which holds the lock. Undefined if
   * the outcome is unknown.
   */
  const wasMade = async (number: number): Promise<boolean | undefined> => {
    const until = performance.now() + findOutMs
    while (performance.now() < until) {
      let session: ServerSession | undefined
      try {
        session = await reconnect()
        await session.client.query(begin)
        const { rows } = await session.client.query<{ commits: number }>(`select commits from ${commitTable} where writer = $1`, [
          writer,
        ])
        return (rows[0]?.commits ?? 0) >= number
      } catch {
        await sleep(tryAgainMs)
      } finally {
        session?.destroy()
      }
    }
    return undefined
  }

  return {
    writer,
    channel,
    begin,
    async commit({ client }) {
      const number = ++made
      const [recorded, ended] = await Promise.allSettled([
        client.query({ ...record, values: [writer, number, channel] }),
        client.query('commit'),
      ])
      if (ended.status === 'fulfilled' && ended.value.command === 'COMMIT') return
      if (recorded.status === 'rejected' && codeOf(recorded.reason) !== '') throw recorded.reason
      if (ended.status === 'fulfilled')
        throw new QueryError('25P02', 'The transaction had failed before its commit', 'commit', undefined)
      // The error of a connection that still works means that nothing was committed.
      if (!isFatal(ended.reason)) throw ended.reason
      const outcome = await wasMade(number)
      if (outcome === true) return
      if (outcome === false) throw connectionLost(ended.reason)
      throw unavailable(
        'The database could not be reached while a change was being saved, so it is not known whether it was saved: read it before you repeat the call.',
        5,
        ended.reason,
      )
    },
  }
}

// Notices that another process has written to the database, by asking SQLite's `data_version` every so often.
// What has changed is left to the subscribers (`versions.ts`).

import { CompiledQuery } from 'kysely'
import type { Log } from '../../log.ts'
import type { SqliteConnection } from './connection.ts'

type Subscriber = () => void | Promise<void>

export interface ForeignChanges {
  /** Returns what ends the subscription. */
  subscribe(fn: Subscriber): () => void
  /** Ends the watch and waits for the look that is under way. */
  stop(): Promise<void>
}

const dataVersion = CompiledQuery.raw('pragma data_version')

/**
 * Starts to watch. It asks on the writer's own connection: there the value stays as it is at our own commits and moves at those
 * of any other process, in the midst of a transaction too.
 */
export async function watchForeignChanges(options: {
  writer: SqliteConnection
  pollMs: number
  log: Log
}): Promise<ForeignChanges> {
  const { writer, pollMs, log } = options
  const subscribers = new Set<Subscriber>()
  let failing = false
  let looking: Promise<void> | undefined
  let seen = await currentVersion(writer)

  const look = async () => {
    try {
      const version = await currentVersion(writer)
      if (version !== seen) await Promise.all([...subscribers].map(async (fn) => fn()))
      // Only now: a subscriber that failed is told again at the next look.
      seen = version
      failing = false
    } catch (error) {
      if (!failing) log.warn('watch for foreign changes fails', { error })
      failing = true
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined))
  }, pollMs)
  timer.unref()

  return {
    subscribe(fn) {
      subscribers.add(fn)
      return () => void subscribers.delete(fn)
    },
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

async function currentVersion(writer: SqliteConnection): Promise<number> {
  const { rows } = await writer.execute(dataVersion)
  const [row] = rows as { data_version: number }[]
  if (row === undefined) throw new Error('SQLite answered nothing to `pragma data_version`.')
  return row.data_version
}

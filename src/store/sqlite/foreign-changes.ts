// Notices commits of other processes by polling SQLite's `data_version`. The subscribers find out what has changed (`versions.ts`).

import { CompiledQuery } from 'kysely'
import type { Log } from '../../base/log.ts'
import type { ForeignChange } from '../core/database.ts'
import type { SqliteConnection } from './connection.ts'

interface Subscriber {
  readonly onChange: ForeignChange
  readonly onLook: ((beganAt: number) => void) | undefined
}

export interface ForeignChanges {
  /** Returns a function that ends the subscription. */
  subscribe(onChange: Subscriber['onChange'], onLook?: Subscriber['onLook']): () => void
  /** Ends the watch and waits for a poll that is still running. */
  stop(): Promise<void>
}

const dataVersion = CompiledQuery.raw('pragma data_version')

/**
 * Starts polling on the writer's connection. There the value changes with the commits of any other process, even during a
 * transaction, but not with commits of this process.
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
    const beganAt = Date.now()
    try {
      const version = await currentVersion(writer)
      if (version !== seen) await Promise.all([...subscribers].map(async ({ onChange }) => onChange(false)))
      // The version is stored only after the calls, so that a failed subscriber is called again at the next poll.
      seen = version
      failing = false
      for (const { onLook } of subscribers) onLook?.(beganAt)
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
    subscribe(onChange, onLook) {
      const subscriber = { onChange, onLook }
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
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
  if (row === undefined) throw new Error('SQLite returned no row for `pragma data_version`.')
  return row.data_version
}

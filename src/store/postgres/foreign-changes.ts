// Notices commits of other processes. Notifications report them at once. A look at the numbers of commits, several times a second
// and after each reconnect, makes up for lost notifications. The subscribers find out what has changed (`versions.ts`).

import { errorMessage } from '../../base/error-message.ts'
import type { Log } from '../../base/log.ts'
import type { ForeignChange } from '../core/database.ts'
import { commitTable } from './commits.ts'
import type { ServerSession } from './connect.ts'
import { notified } from './site-lock.ts'

interface Subscriber {
  readonly onChange: ForeignChange
  readonly onLook: ((beganAt: number) => void) | undefined
}

export interface CommitWatch {
  /** Returns a function that ends the subscription. */
  subscribe(onChange: ForeignChange, onLook?: (beganAt: number) => void): () => void
  /** Cancels the running query of one of this store's connections. @throws Error if the connection for this is lost */
  cancel(pid: number): Promise<void>
  /** Returns the connections that the server is working for. @throws Error if the connection for this is lost */
  findBusy(sessions: readonly ServerSession[]): Promise<ReadonlySet<ServerSession>>
  /** True if a notification with this payload arrives in time. @throws Error if the connection for this is lost */
  hears(payload: string, ms: number): Promise<boolean>
  /** Ends the watch and waits for a look that is still running. */
  stop(): Promise<void>
}

/** The commits of all other stores as one value, which changes with each commit. */
const look = {
  name: 'postern_look',
  text: `select count(*) || ' ' || coalesce(sum(commits), 0) as state from ${commitTable} where writer <> $1`,
}

/** Selects the given server processes that are running something; all of them if the server doesn't say. */
const busy = {
  name: 'postern_busy',
  text: `select pid from pg_catalog.pg_stat_activity where pid = any($1::int[]) and coalesce(state, '') not like 'idle%'`,
}

/**
 * Ends a session that holds the lock of all writers if its process stopped in the middle of sending a statement. The server's own
 * limit for idle transactions applies only between statements. The time is long enough for a long statement on a slow network.
 */
const endStuck = {
  name: 'postern_stuck',
  text: `select pg_terminate_backend(a.pid) from pg_catalog.pg_locks as l join pg_catalog.pg_stat_activity as a on a.pid = l.pid
    where l.locktype = 'advisory' and l.granted and l.objsubid = 1 and ((l.classid::bigint << 32) | l.objid::bigint) = $1::bigint
      and l.database = (select oid from pg_catalog.pg_database where datname = current_database())
      and a.state = 'active' and a.wait_event = 'ClientRead' and a.state_change < clock_timestamp() - interval '20 seconds'`,
}
const stuckEveryMs = 2000

/**
 * Starts to listen and to look, on a separate connection.
 * @param writer the id of this store, whose commits are not reported
 */
export async function watchCommits(options: {
  connect: () => Promise<ServerSession>
  /** Takes the locks of an open store on each new connection. */
  onConnect: (session: ServerSession) => Promise<void>
  writer: string
  channel: string
  /** The key of the lock of all writers. */
  writeLock: string
  pollMs: number
  log: Log
}): Promise<CommitWatch> {
  const { connect, onConnect, writer, channel, writeLock, pollMs, log } = options
  const subscribers = new Set<Subscriber>()
  let session: ServerSession | undefined
  let seen: string | undefined
  let isReopened = false
  let askedStuckAt = 0
  let failing = false
  let stopped = false
  let looking: Promise<void> | undefined
  let again = false

  let opening: Promise<ServerSession> | undefined
  // A look and a cancellation may need the connection at the same time.
  const open = async (): Promise<ServerSession> =>
    session?.isOpen ? session : (opening ??= openNew().finally(() => (opening = undefined)))
  const openNew = async (): Promise<ServerSession> => {
    const opened = await connect()
    opened.client.on('notification', ({ payload }) => {
      if (payload !== writer) lookSoon()
    })
    try {
      await onConnect(opened)
      await opened.client.query(`listen "${channel}"`)
    } catch (error) {
      opened.destroy()
      throw error
    }
    session = opened
    if (seen !== undefined) isReopened = true
    return opened
  }
  /** Returns the connection if it is open now. These callers can't wait for a new connection. */
  const openNow = (): ServerSession => {
    if (session?.isOpen) return session
    throw new Error('The connection of the watch is lost.')
  }

  const readState = async (): Promise<string> => {
    const { client } = await open()
    if (performance.now() - askedStuckAt > stuckEveryMs) {
      askedStuckAt = performance.now()
      await client.query({ ...endStuck, values: [writeLock] })
    }
    const { rows } = await client.query<{ state: string }>({ ...look, values: [writer] })
    return rows[0]?.state ?? ''
  }

  const lookOnce = async () => {
    const beganAt = Date.now()
    try {
      const state = await readState()
      // The connection may lead to another server now, which lacks the latest commits of the former one.
      const mayLack = isReopened
      if (mayLack || state !== seen) await Promise.all([...subscribers].map(async ({ onChange }) => onChange(mayLack)))
      // The state is stored only after the calls, so that a failed subscriber is called again at the next look.
      seen = state
      if (mayLack) isReopened = false
      for (const { onLook } of subscribers) onLook?.(beganAt)
      if (failing) log.info('watch for foreign changes works again')
      failing = false
    } catch (error) {
      if (!failing && !stopped) log.warn('watch for foreign changes fails', { error: errorMessage(error) })
      failing = true
    }
  }

  /** Looks now. A notification during a look causes another look, because the first may have been too early. */
  function lookSoon(): void {
    if (stopped) return
    again = looking !== undefined
    looking ??= lookOnce().finally(() => {
      looking = undefined
      if (again) lookSoon()
    })
  }

  try {
    seen = await readState()
  } catch (error) {
    session?.destroy()
    throw error
  }
  const timer = setInterval(() => (looking === undefined ? lookSoon() : undefined), pollMs)
  timer.unref()

  return {
    subscribe(onChange, onLook) {
      const subscriber = { onChange, onLook }
      subscribers.add(subscriber)
      return () => void subscribers.delete(subscriber)
    },
    async cancel(pid) {
      await openNow().client.query('select pg_cancel_backend($1)', [pid])
    },
    hears: async (payload, ms) => notified(openNow(), payload, ms),
    async findBusy(sessions) {
      const { client, place } = openNow()
      if (sessions.some((one) => one === session)) throw new Error('The connection of the watch is silent.')
      // A server knows only its own connections.
      const here = sessions.filter((one) => one.place === place)
      const { rows } = await client.query<{ pid: number }>({ ...busy, values: [here.map(({ pid }) => pid)] })
      const pids = new Set(rows.map(({ pid }) => pid))
      return new Set(here.filter(({ pid }) => pids.has(pid)))
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
      await opening?.catch(() => undefined)
      if (session?.isOpen) await session.end()
    },
  }
}

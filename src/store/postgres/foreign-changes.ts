// Notices commits of other processes. A notification brings the news at once; a look at the numbers of commits, several times a second and after each
// reconnect, makes up for notifications that were lost. The subscribers find out what has changed (`versions.ts`).

import { errorMessage } from '../../error-message.ts'
import type { Log } from '../../log.ts'
import { commitTable } from './commits.ts'
import type { ServerSession } from './connect.ts'

type Subscriber = () => void | Promise<void>

export interface CommitWatch {
  /** Returns a function that ends the subscription. */
  subscribe(fn: Subscriber): () => void
  /** Cancels the running query of one of this store's connections. @throws Error if the connection for this is lost */
  cancel(pid: number): Promise<void>
  /** Ends the watch and waits for a look that is still running. */
  stop(): Promise<void>
}

/** How long one look may take before its connection counts as lost. */
const lookMs = 5000

/** The commits of all other stores, as one value that differs after each. */
const look = {
  name: 'postern_look',
  text: `select count(*) || ' ' || coalesce(sum(commits), 0) as state from ${commitTable} where writer <> $1`,
}

/**
 * Starts to listen and to look, on a connection of its own.
 * @param writer the id of this store, whose commits are not reported
 */
export async function watchCommits(options: {
  connect: () => Promise<ServerSession>
  /** Takes the locks that the store holds as long as it is open, on each new connection. */
  onConnect: (session: ServerSession) => Promise<void>
  writer: string
  channel: string
  pollMs: number
  log: Log
}): Promise<CommitWatch> {
  const { connect, onConnect, writer, channel, pollMs, log } = options
  const subscribers = new Set<Subscriber>()
  let session: ServerSession | undefined
  let seen: string | undefined
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
    return (session = opened)
  }

  const readState = async (): Promise<string> => {
    const { client, destroy } = await open()
    const timer = setTimeout(destroy, lookMs)
    try {
      const { rows } = await client.query<{ state: string }>({ ...look, values: [writer] })
      return rows[0]?.state ?? ''
    } finally {
      clearTimeout(timer)
    }
  }

  const lookOnce = async () => {
    try {
      const state = await readState()
      if (seen !== undefined && state !== seen) await Promise.all([...subscribers].map(async (fn) => fn()))
      // The state is stored only after the calls, so that a subscriber that failed is called again at the next look.
      seen = state
      if (failing) log.info('watch for foreign changes works again')
      failing = false
    } catch (error) {
      if (!failing && !stopped) log.warn('watch for foreign changes fails', { error: errorMessage(error) })
      failing = true
    }
  }

  /** Looks now. A notification that arrives during a look causes another one, because the look may have been too early. */
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
    subscribe(fn) {
      subscribers.add(fn)
      return () => void subscribers.delete(fn)
    },
    async cancel(pid) {
      const { client } = await open()
      await client.query('select pg_cancel_backend($1)', [pid])
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
      await opening?.catch(() => undefined)
      if (session?.isOpen) await session.client.end()
    },
  }
}

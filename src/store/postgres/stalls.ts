// Drops connections on which the server has gone silent. When a machine is switched off, or a firewall forgets a connection, the
// connection stays open and no answer arrives. Callers would wait until the network layer gives up, which may take a quarter of an
// hour.

import type { ServerSession } from './connect.ts'

export interface StallWatch {
  stop(): void
}

/**
 * Checks all connections at intervals. A silent connection is dropped unless the server reports, on another connection, that it is
 * busy with the query. A late check counts as one interval, so a process that was stopped for a while drops nothing when it
 * resumes.
 * @param silentMs the time without a due answer after which the server is asked whether it is working on one
 * @param findBusy returns the connections that the server is working for. @throws if the server can't be asked now
 */
export function watchForStalls({
  sessions,
  findBusy,
  everyMs,
  silentMs,
}: {
  readonly sessions: ReadonlySet<ServerSession>
  readonly findBusy: (sessions: readonly ServerSession[]) => Promise<ReadonlySet<ServerSession>>
  readonly everyMs: number
  readonly silentMs: number
}): StallWatch {
  const most = Math.ceil(silentMs / everyMs)
  const silences = new WeakMap<ServerSession, Silence>()

  const silenceOf = (session: ServerSession): Silence => {
    const { received } = session
    const known = silences.get(session)
    const intervals = session.isWaiting && known?.received === received ? known.intervals + 1 : 0
    const silence = { received, intervals }
    silences.set(session, silence)
    return silence
  }
  const look = async () => {
    const silent = [...sessions].filter((session) => silenceOf(session).intervals >= most)
    if (silent.length === 0) return
    const asked = silent.map((session) => ({ session, received: session.received }))
    const busy = await findBusy(silent).catch(() => new Set<ServerSession>())
    for (const { session, received } of asked) {
      silences.delete(session)
      // An answer that arrived since the check shows that the connection works.
      if (!busy.has(session) && session.received === received) session.destroy()
    }
  }

  const timer = setInterval(() => void look(), everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}

interface Silence {
  readonly received: number
  /** The number of intervals in which an answer was due and nothing arrived. */
  readonly intervals: number
}

// What systemd gives and what it wants to hear: a socket that is open already, readiness, signs of life, levels of log lines. Started in
// any other way there is none of it, and nothing here stops a service that could serve.

import { execFile } from 'node:child_process'
import { fstatSync } from 'node:fs'
import type { Level, Log } from './log.ts'

type Environment = Record<string, string | undefined>

/** What the environment says of systemd. */
export interface Supervised {
  /** Descriptor of the socket that was opened for us; undefined where we open our own. */
  readonly socketFd: number | undefined
  /** Where it listens for word of us; undefined where nobody does. */
  readonly notifySocket: string | undefined
  /** It takes us for dead after so long without a sign of life; undefined where it doesn't watch. */
  readonly watchdogMs: number | undefined
  /** Whether standard output goes to the journal. */
  readonly journal: boolean
  /** Where its tools are found. */
  readonly path: string
}

/** The first descriptor that is handed over. @see sd_listen_fds(3) */
const firstFd = 3

/** What is meant for this process alone: a child that had it would speak for us, or take our socket for its own. */
const ours = ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES', 'NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const

/**
 * Takes out of an environment what systemd put there for this process.
 * @throws Error with a sentence where it hands over several sockets
 * @see sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3)
 */
export function takeSupervised(env: Environment, pid: number = process.pid): Supervised {
  const { LISTEN_FDS, LISTEN_PID, NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, JOURNAL_STREAM, PATH } = env
  for (const name of ours) delete env[name]
  const isGiven = LISTEN_PID === String(pid) && LISTEN_FDS !== undefined && LISTEN_FDS !== '0'
  if (isGiven && LISTEN_FDS !== '1')
    throw new Error(`systemd hands over ${LISTEN_FDS} sockets, and one is served: keep a single ListenStream= in postern.socket.`)
  const watchdogMs = Number(WATCHDOG_USEC) / 1000
  const isWatched = watchdogMs > 0 && (WATCHDOG_PID === undefined || WATCHDOG_PID === String(pid))
  return {
    socketFd: isGiven ? firstFd : undefined,
    notifySocket: NOTIFY_SOCKET === '' ? undefined : NOTIFY_SOCKET,
    watchdogMs: isWatched ? watchdogMs : undefined,
    journal: JOURNAL_STREAM !== undefined && JOURNAL_STREAM === streamOf(1),
    path: PATH ?? '/usr/bin:/bin',
  }
}

/** The variable is inherited by what has its output elsewhere, so it is held against where ours goes. @see systemd.exec(5) */
function streamOf(fd: number): string | undefined {
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    // Closed: then it leads nowhere, the journal included.
    return undefined
  }
}

/** Syslog's numbers. @see sd-daemon(3) */
const priorities: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3 }

/** What stands before a line of this level, so that `journalctl -p err` finds it; nothing where the journal isn't what reads it. */
export function levelMark({ journal }: Pick<Supervised, 'journal'>, level: Level): string {
  return journal ? `<${priorities[level]}>` : ''
}

/** Tells systemd how it goes. What can't be told is a line in the log, one until it can again. */
export interface Notifier {
  ready(status: string): Promise<void>
  stopping(): Promise<void>
  /** Gives a sign of life in time and again, each after `look` has come back. */
  startWatchdog(look: () => Promise<unknown>): void
  stopWatchdog(): void
}

/** A notifier; where nobody listens it does nothing. */
export function createNotifier(supervised: Supervised, log: Pick<Log, 'warn'>): Notifier {
  const { notifySocket, watchdogMs } = supervised
  let failing = false
  let timer: NodeJS.Timeout | undefined
  let watching = false

  const attempt = async (what: string, run: () => Promise<unknown>): Promise<boolean> => {
    try {
      await run()
      failing = false
      return true
    } catch (error) {
      if (!failing) log.warn('systemd not told', { what, error })
      failing = true
      return false
    }
  }
  const tell = async (what: string, words: readonly string[]): Promise<void> => {
    if (notifySocket !== undefined) await attempt(what, () => notify(supervised, words))
  }

  return {
    ready: (status) => tell('readiness', ['--ready', `--status=${status}`]),
    stopping: () => tell('the stop', ['STOPPING=1', '--status=Finishing what is in flight.']),
    startWatchdog(look) {
      if (notifySocket === undefined || watchdogMs === undefined) return
      watching = true
      const sign = async () => {
        const told = await attempt('a sign of life', async () => {
          await look()
          await notify(supervised, ['WATCHDOG=1'])
        })
        // One that failed is given again soon: at the usual pace the next would come when it is too late.
        if (watching) timer = setTimeout(() => void sign(), told ? watchdogMs / 2 : watchdogMs / 20).unref()
      }
      timer = setTimeout(() => void sign(), watchdogMs / 2).unref()
    },
    stopWatchdog() {
      watching = false
      clearTimeout(timer)
    },
  }
}

/** Longest that telling may take. */
const notifyMs = 10_000

/** By systemd's own tool: node has no datagrams on Unix sockets. */
function notify({ notifySocket, path }: Supervised, words: readonly string[]): Promise<void> {
  const env = { PATH: path, NOTIFY_SOCKET: notifySocket }
  return new Promise((resolve, reject) => {
    execFile('systemd-notify', words, { env, timeout: notifyMs }, (error) => (error ? reject(error) : resolve()))
  })
}

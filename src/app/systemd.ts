// The interface to systemd: socket activation, readiness, the watchdog, levels of log lines. Without systemd all of it is off. No
// fault in this file stops a service that can serve.

import { execFile } from 'node:child_process'
import { fstatSync } from 'node:fs'
import { errorMessage } from '../base/error-message.ts'
import type { Level, Log } from '../base/log.ts'

/** The variables that systemd sets for a service, parsed. */
export interface Supervised {
  /** The descriptor of the socket that systemd opened; undefined if the service opens its own. */
  readonly socketFd: number | undefined
  /** The socket for notifications; undefined if systemd expects none. */
  readonly notifySocket: string | undefined
  /** The watchdog's time-out; undefined if there is no watchdog. */
  readonly watchdogMs: number | undefined
  /** True if standard output goes to the journal. */
  readonly journal: boolean
  /** `PATH`, to find the tools of systemd. */
  readonly path: string
}

/** The first descriptor that systemd passes. @see sd_listen_fds(3) */
const firstFd = 3

/** Variables for this process alone. A child process with these variables could notify systemd, or use the socket as its own. */
const systemdVariables = ['LISTEN_FDS', 'LISTEN_PID', 'LISTEN_FDNAMES', 'NOTIFY_SOCKET', 'WATCHDOG_USEC', 'WATCHDOG_PID'] as const

/**
 * Reads the variables of systemd and removes them from the environment.
 * @throws Error with a sentence if systemd passes several sockets
 * @see sd_listen_fds(3), sd_notify(3), sd_watchdog_enabled(3)
 */
export function takeSupervised(env: Record<string, string | undefined>, pid: number = process.pid): Supervised {
  const { LISTEN_FDS, LISTEN_PID, NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, JOURNAL_STREAM, PATH } = env
  for (const name of systemdVariables) delete env[name]
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

/**
 * Device and inode of a descriptor, to compare with `JOURNAL_STREAM`. Processes whose output goes elsewhere inherit that variable
 * too.
 * @see systemd.exec(5)
 */
function streamOf(fd: number): string | undefined {
  try {
    const { dev, ino } = fstatSync(fd, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    // Standard output is closed.
    return undefined
  }
}

/** The levels of syslog. @see sd-daemon(3) */
const priorities: Readonly<Record<Level, number>> = { debug: 7, info: 6, warn: 4, error: 3 }

/** The prefix of a line of this level, so that `journalctl -p err` finds it; empty if the output is not the journal. */
export function levelMark({ journal }: Pick<Supervised, 'journal'>, level: Level): string {
  return journal ? `<${priorities[level]}>` : ''
}

/** Returns the message for a start that failed, with the level before each line. */
export const startFailure = (error: unknown, supervised: Supervised | undefined): string =>
  `Postern can't start: ${errorMessage(error)}\n`.replace(/^(?=.)/gm, supervised ? levelMark(supervised, 'error') : '')

/** Sends notifications to systemd. A failure to send is logged once, until sending works again. */
export interface Notifier {
  ready(status: string): Promise<void>
  stopping(): Promise<void>
  /** Pings the watchdog at intervals, each time after `look` has succeeded. */
  startWatchdog(look: () => Promise<unknown>): void
  stopWatchdog(): void
}

/** Creates a notifier. Without systemd it does nothing. */
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
    stopping: () => tell('the stop', ['STOPPING=1', '--status=Finishing open requests.']),
    startWatchdog(look) {
      if (notifySocket === undefined || watchdogMs === undefined) return
      watching = true
      const sign = async () => {
        const told = await attempt('a sign of life', async () => {
          await look()
          await notify(supervised, ['WATCHDOG=1'])
        })
        // After a failure the next try comes soon: after the usual interval, the ping would be too late.
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

/** The longest time for sending a notification. */
const notifyMs = 10_000

/** Runs systemd's own tool, because Node has no datagrams on Unix sockets. */
function notify({ notifySocket, path }: Supervised, words: readonly string[]): Promise<void> {
  const env = { PATH: path, NOTIFY_SOCKET: notifySocket }
  return new Promise((resolve, reject) => {
    execFile('systemd-notify', words, { env, timeout: notifyMs }, (error) => (error ? reject(error) : resolve()))
  })
}

// Starts a Chromium for one picture: a process of this machine, or an instance of postern-eyes@.service behind its socket. Either
// way the DevTools protocol goes through a pipe, and closing it ends the browser.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { Failure } from '../base/failure.ts'
import { watchMemory } from './memory.ts'
import { switches } from './switches.ts'

/** A running Chromium. */
export interface Browser {
  readonly input: Writable
  readonly output: Readable
  /** True if systemd starts it, which also limits its memory and how many run. */
  readonly isUnit: boolean
  /** Resolves to the reason once Chromium has ended. */
  readonly lost: Promise<Failure>
  /** Ends Chromium with all its processes, and removes its profile. */
  close(): Promise<void>
}

/**
 * Starts Chromium.
 * @param place the path of the program, or of the socket of its unit
 * @throws Failure `unavailable` if there is neither
 */
export async function openBrowser(place: string): Promise<Browser> {
  const found = await stat(place).catch((error: unknown) => {
    throw notStarted(`there is no file ${place}`, error)
  })
  return found.isSocket() ? openUnit(place) : openProcess(place)
}

/** The most memory of a Chromium and its processes together. The unit has the same limit. */
const maxMemory = 300 * 1024 ** 2

async function openProcess(program: string): Promise<Browser> {
  await sweepProfiles()
  const profile = await mkdtemp(join(tmpdir(), profileName))
  const child = spawn(program, [...switches, `--user-data-dir=${profile}`], {
    // A group of its own, which can be ended as one.
    detached: true,
    // The service's environment is not passed on, because it may contain secrets.
    env: { HOME: profile, TMPDIR: profile, PATH: '/usr/local/bin:/usr/bin:/bin' },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
  })
  const words = lastWords(child)
  const ended = once(child, 'close').catch((error: unknown) => notStarted('the program could not be run', error))
  let reason: Failure | undefined
  const stopWatching = watchMemory(child.pid, maxMemory, () => {
    reason = tooMuchMemory()
    endGroup(child)
  })
  return {
    input: child.stdio[3] as Writable,
    output: child.stdio[4] as Readable,
    isUnit: false,
    lost: ended.then((how) => reason ?? (how instanceof Failure ? how : diedWith(words()))),
    async close() {
      stopWatching()
      endGroup(child)
      await ended
      // A process of the group that is still ending may write once more.
      await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
    },
  }
}

const profileName = 'postern-eyes-'
const leftMs = 60 * 60_000

/** Removes profiles that a service left behind that was killed. One in use is seconds old. */
async function sweepProfiles(): Promise<void> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(profileName))
  for (const path of names.map((name) => join(tmpdir(), name))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }))
    // Another user's profile stays.
    if (mtimeMs < Date.now() - leftMs) await rm(path, { recursive: true, force: true }).catch(() => undefined)
  }
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // All of them have ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Keeps the end of what a process writes as errors. */
function lastWords({ stderr }: ChildProcess): () => string {
  let words = ''
  stderr?.setEncoding('utf8').on('data', (part: string) => (words = (words + part).slice(-4000)))
  return () => words
}

async function openUnit(place: string): Promise<Browser> {
  const socket = connect(place)
  socket.on('error', () => socket.destroy())
  // Not `once`, which fails for an error.
  const closed = new Promise((resolve) => socket.once('close', resolve))
  try {
    await once(socket, 'connect')
  } catch (error) {
    throw notStarted(`nothing answers at ${place}`, error)
  }
  return {
    input: socket,
    output: socket,
    isUnit: true,
    lost: closed.then(() => diedWith('')),
    async close() {
      socket.destroy()
      await closed
    },
  }
}

/** The words of Chromium where it can't start its sandbox. */
const noSandbox = /No usable sandbox|without --no-sandbox is not supported|Failed to move to new namespace/

const diedWith = (words: string): Failure =>
  noSandbox.test(words)
    ? notStarted(
        'it finds no sandbox here; under the units of Postern, POSTERN_CHROMIUM=/run/postern-eyes.sock runs it in a unit of its own',
      )
    : new Failure(
        'unavailable',
        'Chromium ended before the picture was taken. Try again in a moment.',
        {},
        words === '' ? {} : { cause: new Error(words) },
      )

const notStarted = (why: string, cause?: unknown): Failure =>
  new Failure('unavailable', `Chromium could not be started: ${why}.`, { retry_after: 60 }, cause === undefined ? {} : { cause })

const tooMuchMemory = (): Failure =>
  new Failure(
    'unprocessable',
    `This page takes more than ${maxMemory / 1024 ** 2} MB to show, so Chromium was ended. Make its pictures smaller.`,
  )

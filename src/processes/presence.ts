// The processes of a site that are alive on this machine. Each writes a small file in `data/processes/`. Every process, the doctor
// and the command line read all files. A site with one process has no file.

import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import { parseObject } from '../base/json.ts'
import type { Log } from '../base/log.ts'
import { unlessMissing } from '../base/missing.ts'
import { programRelease } from '../base/program.ts'
import { type Repeating, repeat } from '../base/repeating.ts'

/** The facts that a process announces about itself. Times are UTC milliseconds. */
export interface Presence {
  /** Counted from 1. */
  readonly instance: number
  readonly pid: number
  readonly release: string
  readonly startedAt: number
  /** The latest sign of life. */
  readonly seenAt: number
  /** The time of a proper stop; null while the process runs, and after it died. */
  readonly stoppedAt: number | null
  /** The times at which processes with this number died during the last hour, oldest first. */
  readonly deaths: readonly number[]
}

const signMs = 10_000
const deathsMs = 60 * 60_000
const maxDeaths = 20

/** Returns the folder of the files. @param home the home of the site */
const folderOf = (home: string): string => join(home, 'data', 'processes')

/** Writes the file of this process until it is stopped. @param instance the number of this process */
export function keepPresence(
  home: string,
  instance: number,
  { clock, log }: { readonly clock: Clock; readonly log: Pick<Log, 'warn'> },
): Repeating {
  const release = programRelease()
  const startedAt = clock.now()
  let deaths: Promise<readonly number[]> | undefined
  const write = async (stoppedAt: number | null) => {
    const known = await (deaths ??= readDeaths(home, instance, startedAt))
    const presence: Presence = { instance, pid: process.pid, release, startedAt, seenAt: clock.now(), stoppedAt, deaths: known }
    const path = join(folderOf(home), `presence-${instance}.json`)
    await mkdir(folderOf(home), { recursive: true, mode: 0o700 })
    await writeFile(`${path}.new`, JSON.stringify(presence), { mode: 0o600 })
    await rename(`${path}.new`, path)
  }
  let failing = false
  const sign = repeat(
    signMs,
    async () => {
      await write(null)
      failing = false
    },
    (error) => {
      if (!failing) log.warn('presence could not be written', { error })
      failing = true
    },
    0,
  )
  return {
    run: () => sign.run(),
    async stop() {
      await sign.stop()
      // The site also stops if the disk is full.
      await write(clock.now()).catch(() => undefined)
    },
  }
}

/** Returns the deaths of earlier processes with this number. If its file still reports a running process, that process has died. */
async function readDeaths(home: string, instance: number, now: number): Promise<readonly number[]> {
  const before = (await readPresences(home)).find((one) => one.instance === instance)
  if (!before) return []
  const all = before.stoppedAt === null ? [...before.deaths, now] : before.deaths
  return all.filter((at) => at > now - deathsMs).slice(-maxDeaths)
}

/** Returns the last announcements of all processes of a home, by number. */
export async function readPresences(home: string): Promise<readonly Presence[]> {
  const names = (await unlessMissing(readdir(folderOf(home)))) ?? []
  const texts = names
    .filter((name) => /^presence-\d+\.json$/.test(name))
    .map((name) => unlessMissing(readFile(join(folderOf(home), name), 'utf8')))
  const found = (await Promise.all(texts)).map((text) => parseObject(text ?? '') as unknown as Presence | undefined)
  return found.filter((one) => one !== undefined).sort((a, b) => a.instance - b.instance)
}

/** `silent`: the process hangs, or it died and was not started again. */
export type PresenceState = 'running' | 'stopped' | 'silent' | 'missing'

/** The time of three missed signs of life, and some seconds. */
const silentMs = 35_000

/** Returns the state of each process that a site should have. */
export function statesOf(
  found: readonly Presence[],
  count: number,
  now: number,
): readonly { readonly instance: number; readonly state: PresenceState; readonly presence: Presence | undefined }[] {
  return Array.from({ length: count }, (_, at) => {
    const presence = found.find(({ instance }) => instance === at + 1)
    return { instance: at + 1, presence, state: stateOf(presence, now) }
  })
}

function stateOf(presence: Presence | undefined, now: number): PresenceState {
  if (!presence) return 'missing'
  if (presence.stoppedAt !== null) return 'stopped'
  return now - presence.seenAt > silentMs ? 'silent' : 'running'
}

/** Returns the number of deaths in the last hour. */
export const recentDeaths = ({ deaths }: Presence, now: number): number => deaths.filter((at) => at > now - deathsMs).length

// The values that this process shares with the other processes of its site on this machine, as files in `data/processes/`. A site
// with one process has no such files, and no cost.

import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createLimiter, type Limiter, type LimiterOptions } from '../http/rate-limit.ts'
import { isMissing } from '../base/missing.ts'
import type { WriteTurns } from '../store/core/write-turns.ts'
import { type ChangeMark, createChangeMark, markFileBytes } from './change-mark.ts'
import { nameOfSeat, type Seat } from './seat.ts'
import { countsFileBytes, createSharedCounts, type SharedCounts } from './shared-counts.ts'
import { openExistingSlotFile, openSlotFile } from './slot-file.ts'
import { createWriteQueue, queueFileBytes } from './write-queue.ts'

export interface Processes {
  /** The name of this process in log lines, metrics and health; undefined for the only process of a site and for a command. */
  readonly name: string | undefined
  /** The number of the site's processes on this machine. */
  readonly of: number
  /** The folder of the shared files; undefined for the only process of a site. */
  readonly folder: string | undefined
  /** The announcements of the other processes; undefined for the only process of a site and for a command. */
  readonly changes: Pick<ChangeMark, 'read' | 'is'> | undefined
  /** Announces a change to the other processes. */
  tellChange(): void
  /** The turns of writers; undefined for the only process of a site, and for a command, which relies on the database's own lock. */
  readonly turns: WriteTurns | undefined
  /** Returns a rate limit that all processes count together. Limits with different names count separately. */
  limiter(name: string, options: LimiterOptions): Limiter
  close(): void
}

const markName = 'changes'
const queueName = 'writers'
const countsName = ({ of }: Seat): string => `calls-${of}`

/**
 * Opens the shared files.
 * @param data the folder `data/` of the home
 * @param seat undefined for the only process of a site and for a command: they only announce changes, if there are other processes
 * @param secret of the site, for the places of keys in a file with limited room
 * @throws Error of the file system
 */
export function openProcesses(data: string, seat: Seat | undefined, secret: () => Uint8Array): Processes {
  const folder = join(data, 'processes')
  return seat ? openShared(folder, seat, secret) : openAlone(folder)
}

function openAlone(folder: string): Processes {
  const mark = findMark(folder)
  return {
    name: undefined,
    of: 1,
    folder: undefined,
    changes: undefined,
    tellChange: () => mark?.tell(),
    turns: undefined,
    limiter: (_name, options) => createLimiter(options),
    close: () => mark?.close(),
  }
}

/** Returns the mark of a site with several processes; undefined for a site that never had several. */
function findMark(folder: string): (ChangeMark & { close(): void }) | undefined {
  try {
    const file = openExistingSlotFile(join(folder, markName))
    return { ...createChangeMark(file, undefined), close: () => file.close() }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function openShared(folder: string, seat: Seat, secret: () => Uint8Array): Processes {
  makeFolder(folder)
  dropOtherCounts(folder, seat)
  const marks = openSlotFile(join(folder, markName), markFileBytes)
  const queue = openSlotFile(join(folder, queueName), queueFileBytes)
  const calls = openSlotFile(join(folder, countsName(seat)), countsFileBytes(seat))
  const mark = createChangeMark(marks, seat.number)
  let counts: SharedCounts | undefined
  return {
    name: nameOfSeat(seat),
    of: seat.of,
    folder,
    changes: mark,
    tellChange: () => mark.tell(),
    turns: createWriteQueue(queue, seat),
    // The secret is known once the site's key is open, and limits are created after that.
    limiter: (name, options) => (counts ??= createSharedCounts(calls, seat, secret())).limiter(name, options),
    close: () => {
      for (const file of [marks, queue, calls]) file.close()
    },
  }
}

function makeFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // The umask may have removed permissions.
  chmodSync(folder, 0o700)
}

/** Deletes the counts for another number of processes. */
function dropOtherCounts(folder: string, seat: Seat): void {
  for (const name of readdirSync(folder))
    if (name.startsWith('calls-') && name !== countsName(seat)) rmSync(join(folder, name), { force: true })
}

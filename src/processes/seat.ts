// The number of this process among the site's processes on this machine. A site with one process has no seats, and none of the
// files of this folder.

import type { Config } from '../base/config.ts'

/** The number of a process among the processes of its site on this machine. */
export interface Seat {
  /** From 1 to `of`. Two living processes never have the same number. */
  readonly number: number
  /** The number of the site's processes on this machine. */
  readonly of: number
}

/** The most processes per machine. The shared files have a slot for each. */
export const maxProcesses = 64

/**
 * Returns the seat of a process that was started as one of several; undefined for the only process of a site.
 * @throws Error with a sentence if the number is higher than the number of processes
 */
export function seatOf({ POSTERN_PROCESSES: of, POSTERN_INSTANCE: number }: Config): Seat | undefined {
  if (number === undefined || (of === 1 && number === 1)) return undefined
  if (number > of)
    throw new Error(`POSTERN_INSTANCE=${number} is higher than POSTERN_PROCESSES=${of}: instances are numbered from 1 to ${of}.`)
  return { number, of }
}

/** Returns the name of a process in log lines, metrics and health: its number. */
export const nameOfSeat = ({ number }: Seat): string => String(number)

// The progress of long work, on standard error.

import type { Progress } from '../jobs/jobs.ts'
import type { Io } from './command.ts'

/** Returns what writes a line for each new piece of work, then one a second at most, and one at the end. */
export function progressTeller({ err }: Io): (progress: Progress) => void {
  let last = 0
  let said = ''
  return ({ done, total, note = '' }) => {
    const now = Date.now()
    if (note === said && now - last < 1000 && done !== total) return
    last = now
    said = note
    err(`${note}: ${done}${total === undefined ? '' : ` of ${total}`}\n`)
  }
}

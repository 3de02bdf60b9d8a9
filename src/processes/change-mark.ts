// Announces changes: eight random bytes per process in a small file. A process writes its own bytes after each commit and before
// the answer, and reads those of the others before each request. It reads the counters in the database only if they differ.

import { randomFillSync } from 'node:crypto'
import type { SlotFile } from './slot-file.ts'
import { maxProcesses } from './seat.ts'

export interface ChangeMark {
  /** Announces a change to the others. */
  tell(): void
  /** Returns the present marks of the others; the same value until one of them changes. */
  read(): string
  /** True if the marks of the others equal this value. */
  is(seen: string): boolean
}

const markBytes = 8
/** Commands have no number and share the first slot. */
export const markFileBytes = markBytes * (maxProcesses + 1)

/** @param number of this process; undefined for a command, which announces its changes and reads nothing */
export function createChangeMark(file: SlotFile, number: number | undefined): ChangeMark {
  const own = Buffer.alloc(markBytes)
  const ownAt = markBytes * (number ?? 0)
  const marks = Buffer.alloc(markFileBytes)
  let last = Buffer.alloc(markFileBytes)
  let lastText = ''

  const refresh = (): void => {
    file.read(marks, 0)
    marks.fill(0, ownAt, ownAt + markBytes)
    if (lastText !== '' && marks.equals(last)) return
    last = Buffer.from(marks)
    lastText = marks.toString('latin1')
  }
  return {
    tell() {
      randomFillSync(own)
      file.write(own, ownAt)
    },
    read() {
      refresh()
      return lastText
    },
    is(seen) {
      refresh()
      // The text is made once per change, so this usually compares a value with itself.
      return lastText === seen
    },
  }
}

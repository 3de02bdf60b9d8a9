// The error log in the home: warnings and errors as JSON lines, in files that are turned over by size.

import { appendFileSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Sink } from './log.ts'

export interface ErrorLogOptions {
  /** Turn over when the file is larger. */
  readonly maxBytes?: number
  /** How many old files stay beside the present one. */
  readonly kept?: number
}

const fileName = 'postern-errors.log'

/**
 * A sink that keeps `warn` and `error` lines in a folder. It writes at once, so that the line about a crash is there after it;
 * what can't be written (a full disk) is told on standard error once and doesn't stop the site.
 */
export function createErrorLog(folder: string, { maxBytes = 10 * 1024 ** 2, kept = 5 }: ErrorLogOptions = {}): Sink {
  const path = join(folder, fileName)
  let size = sizeOf(path)
  let failing = false
  return (line, level) => {
    if (level !== 'warn' && level !== 'error') return
    try {
      if (size > maxBytes) {
        turnOver(path, kept)
        size = 0
      }
      appendFileSync(path, `${line}\n`, { mode: 0o640 })
      size += Buffer.byteLength(line) + 1
      failing = false
    } catch (error) {
      if (!failing) process.stderr.write(`The error log ${path} can't be written: ${String(error)}\n`)
      failing = true
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

/** `log` becomes `log.1`, `log.1` becomes `log.2`, and so on; the oldest goes. */
function turnOver(path: string, kept: number): void {
  for (let age = kept - 1; age >= 0; age--) {
    const from = age === 0 ? path : `${path}.${age}`
    if (statSync(from, { throwIfNoEntry: false })) renameSync(from, `${path}.${age + 1}`)
  }
}

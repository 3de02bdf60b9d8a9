// The error log in the home: warnings, errors and the log lines of plugins, as JSON lines in files that are rotated by size.
// Several processes write to one folder. log-reader.ts reads it.

import { appendFileSync, closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { LogFields, Level, Sink } from './log.ts'
import { isMissing } from './missing.ts'

export interface ErrorLogOptions {
  /** The size above which a file is rotated. */
  readonly maxBytes?: number
  /** The number of rotated files to keep. */
  readonly kept?: number
}

const currentName = 'postern-errors.log'
/** The owner writes and the group reads, so that an administrator can follow the log without being root. */
export const errorLogMode = 0o640
const rotatedName = /^postern-errors\.\d{8}T\d{9}Z-\d+\.log$/

/** The folder of the logs in a home. */
export const logFolder = (home: string): string => join(home, 'user-content', 'logs')

/** The file for warnings and errors. `makeHome` creates it, so that it exists before the first error. */
export const errorLogOf = (home: string): string => join(logFolder(home), currentName)

/** The files of the error log in a folder, oldest first. The current one is last. */
export function logNames(names: readonly string[]): readonly string[] {
  return [...names.filter((name) => rotatedName.test(name)).sort(), ...names.filter((name) => name === currentName)]
}

/**
 * Creates a sink that writes `warn` and `error` lines to a folder, and `info` lines that name a `plugin`. It writes
 * synchronously, so that the line about a crash is on disk after the crash. If it can't write (a full disk), it reports that once
 * on standard error, and the site continues.
 */
export function createErrorLog(folder: string, { maxBytes = 10 * 1024 ** 2, kept = 5 }: ErrorLogOptions = {}): Sink {
  const path = join(folder, currentName)
  let failing = false
  // A full disk may have cut off the last line of the file.
  let mayBeTorn = true
  return (line, level, fields) => {
    if (!isKept(level, fields)) return
    try {
      // Checked each time, because another process may have written or rotated.
      const size = sizeOf(path)
      if (size > maxBytes) rotateLog(folder, kept, Date.now())
      const start = mayBeTorn && size > 0 && size <= maxBytes && !endsInLine(path, size) ? '\n' : ''
      appendFileSync(path, `${start}${line}\n`, { mode: errorLogMode })
      mayBeTorn = failing = false
    } catch (error) {
      if (!failing) process.stderr.write(`The error log ${path} can't be written: ${String(error)}\n`)
      mayBeTorn = failing = true
    }
  }
}

function isKept(level: Level, { plugin }: LogFields): boolean {
  return level === 'warn' || level === 'error' || (level === 'info' && typeof plugin === 'string')
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

function endsInLine(path: string, size: number): boolean {
  const file = openSync(path, 'r')
  try {
    const last = Buffer.alloc(1)
    readSync(file, last, 0, 1, size - 1)
    return last.toString() === '\n'
  } finally {
    closeSync(file)
  }
}

/**
 * Rotates: renames the current file and deletes the oldest ones. The rename is atomic, so two processes can rotate at once and
 * readers find the file again. Names sort in the order of the files, even if the clock was set back.
 */
function rotateLog(folder: string, kept: number, now: number): void {
  const latest = logNames(readdirSync(folder)).findLast((name) => name !== currentName)
  const at = Math.max(now, latest === undefined ? 0 : (rotatedAt(latest) ?? 0) + 1)
  const stamp = new Date(at).toISOString().replace(/[-:.]/g, '')
  rename(join(folder, currentName), join(folder, `postern-errors.${stamp}-${process.pid}.log`))
  const old = logNames(readdirSync(folder)).filter((name) => name !== currentName)
  for (const name of old.slice(0, -kept)) rmSync(join(folder, name), { force: true })
}

/** The time in the name of a rotated file, in UTC milliseconds; undefined if there is none. */
function rotatedAt(name: string): number | undefined {
  const at = Date.parse(name.replace(/^\D*(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'))
  return Number.isNaN(at) ? undefined : at
}

function rename(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    // Another process was faster.
    if (!isMissing(error)) throw error
  }
}

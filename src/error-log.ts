// The error log in the home: warnings, errors and what plugins say, as JSON lines in files that are turned over by size. Several processes
// write to one folder. Reading it is log-reader.ts's.

import { appendFileSync, closeSync, openSync, readdirSync, readSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Fields, Level, Sink } from './log.ts'
import { isMissing } from './missing.ts'

export interface ErrorLogOptions {
  /** Turn over when the file is larger. */
  readonly maxBytes?: number
  /** How many old files stay beside the present one. */
  readonly kept?: number
}

const presentName = 'postern-errors.log'
/** Its owner writes, its group reads: an administrator may follow it without being root. */
export const errorLogMode = 0o640
const oldName = /^postern-errors\.\d{8}T\d{9}Z-\d+\.log$/

/** Where a home has its logs. */
export const logFolder = (home: string): string => join(home, 'user-content', 'logs')

/** The file that warnings and errors are written to. `makeHome` makes it, so that it is there before the first of them. */
export const errorLogOf = (home: string): string => join(logFolder(home), presentName)

/** Of the files in a folder those of the error log, oldest first; the one that is written to stands last. */
export function logNames(names: readonly string[]): readonly string[] {
  return [...names.filter((name) => oldName.test(name)).sort(), ...names.filter((name) => name === presentName)]
}

/**
 * A sink that keeps `warn` and `error` lines in a folder, and from `info` on those that name a `plugin`. It writes at once, so that the
 * line about a crash is there after it; what can't be written (a full disk) is told on standard error once and doesn't stop the site.
 */
export function createErrorLog(folder: string, { maxBytes = 10 * 1024 ** 2, kept = 5 }: ErrorLogOptions = {}): Sink {
  const path = join(folder, presentName)
  let failing = false
  // What was written last before, here or by a process that is no more, a full disk may have cut off.
  let mayBeTorn = true
  return (line, level, fields) => {
    if (!isKept(level, fields)) return
    try {
      // Asked each time: another process may have written, or turned over.
      const size = sizeOf(path)
      if (size > maxBytes) turnOver(folder, kept, Date.now())
      const start = mayBeTorn && size > 0 && size <= maxBytes && !endsInLine(path, size) ? '\n' : ''
      appendFileSync(path, `${start}${line}\n`, { mode: errorLogMode })
      mayBeTorn = failing = false
    } catch (error) {
      if (!failing) process.stderr.write(`The error log ${path} can't be written: ${String(error)}\n`)
      mayBeTorn = failing = true
    }
  }
}

function isKept(level: Level, { plugin }: Fields): boolean {
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
 * Gives the present file a name that it keeps: one step, which two processes at once can't do to each other's harm, and by which whoever
 * reads finds it again. Then the oldest go. Names are in the order of the files, also where the clock was set back.
 */
function turnOver(folder: string, kept: number, now: number): void {
  const latest = logNames(readdirSync(folder)).findLast((name) => name !== presentName)
  const at = Math.max(now, latest === undefined ? 0 : (turnedAt(latest) ?? 0) + 1)
  const stamp = new Date(at).toISOString().replace(/[-:.]/g, '')
  rename(join(folder, presentName), join(folder, `postern-errors.${stamp}-${process.pid}.log`))
  const old = logNames(readdirSync(folder)).filter((name) => name !== presentName)
  for (const name of old.slice(0, -kept)) rmSync(join(folder, name), { force: true })
}

/** What the name of an old file says, in UTC milliseconds; undefined where that is no time. */
function turnedAt(name: string): number | undefined {
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

// Maintenance mode: is the site closed, and with what message for visitors? A row in the table of settings switches it on; every
// process sees a change within a second. A file in the home also closes the site, without the database. Each door decides
// which requests to refuse.

import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import { isMissing } from '../base/missing.ts'
import type { Db, Store } from '../store/core/database.ts'
import type { SettingRow } from '../store/core/schema.ts'
import { formatDateOrNull } from './time-zone.ts'

/** The key of the row. No setting in `definitions.ts` has this key. */
export const maintenanceKey = 'maintenance'

/** The name of a file in the home that closes the site, regardless of the row. Its text is the message. */
export const maintenanceFile = 'MAINTENANCE'

/** The longest message, in characters. */
export const maxMessageLength = 500

/** The content of the row. While the row exists, the site is closed. */
export interface Announced {
  readonly message: string | null
  /** UTC milliseconds. The site opens by itself at this time. */
  readonly until: number | null
}

/** The message to visitors and callers of a closed site. */
export interface Closed {
  /** A sentence or two; lines end in `\n`. */
  readonly message: string
  /** UTC milliseconds; null if no end is set. */
  readonly until: number | null
  readonly retryAfterSeconds: number
  /** True if the file closes the site. Then only removing the file opens the site. */
  readonly byFile: boolean
}

export interface Maintenance {
  /** Returns undefined while the site is open. It reads only memory, because every call and page asks for it. */
  now(): Closed | undefined
  /** Reads the row again. It is called when the area `settings` changed. */
  reload(): Promise<void>
  /** Checks the file now. */
  look(): Promise<void>
  close(): void
}

const usualMessage = 'This site is under maintenance and will be back soon.'
const usualRetrySeconds = 120
const lookMs = 500

/** Reads the row and the file, and watches the file. */
export async function openMaintenance(store: Store, home: string, clock: Clock, log: Log): Promise<Maintenance> {
  const path = join(home, maintenanceFile)
  let announced: Announced | undefined
  let inFile: FileMessage | undefined
  let begun = 0
  let shown = 0

  const reload = async () => {
    const turn = ++begun
    const row = await findRow(store.read)
    // An earlier read that took longer is out of date. A later read that has not ended is no reason to keep the old row.
    if (turn < shown) return
    shown = turn
    announced = row && announcedIn(row)
  }
  let looking: Promise<void> | undefined
  const lookOnce = async () => {
    inFile = await findFile(path, inFile, log)
  }
  // One check at a time, so that requests don't pile up on a disk that hangs.
  const look = async () => {
    const own = (looking ?? Promise.resolve()).then(lookOnce)
    looking = own
    await own
    if (looking === own) looking = undefined
  }
  await Promise.all([reload(), look()])
  const timer = setInterval(() => void (looking ?? look()), lookMs)
  timer.unref()

  return {
    now() {
      if (inFile) return { message: inFile.message, until: null, retryAfterSeconds: usualRetrySeconds, byFile: true }
      return announced && closedBy(announced, clock.now())
    },
    reload,
    look,
    close: () => clearInterval(timer),
  }
}

/** Returns the meaning of the row at a time; undefined after its end. */
function closedBy({ message, until }: Announced, now: number): Closed | undefined {
  if (until !== null && until <= now) return undefined
  const retryAfterSeconds = until === null ? usualRetrySeconds : Math.ceil((until - now) / 1000)
  return { message: message ?? usualMessage, until, retryAfterSeconds, byFile: false }
}

/** The row, if there is one. */
export async function findRow(db: Db): Promise<SettingRow | undefined> {
  return db.selectFrom('setting').selectAll().where('key', '=', maintenanceKey).executeTakeFirst()
}

/** The content of a row. */
export function announcedIn({ value }: Pick<SettingRow, 'value'>): Announced {
  const { message, until } = JSON.parse(value) as { message: string | null; until: string | null }
  return { message, until: until === null ? null : Date.parse(until) }
}

/** The value of the row, with the time as text, as diffs show it. */
export function rowValue({ message, until }: Announced): string {
  return JSON.stringify({ message, until: formatDateOrNull(until) })
}

interface FileMessage {
  /** Changes with each change of the file. */
  readonly mark: string
  readonly message: string
}

/** Reads the file. A file that exists but can't be read also closes the site. */
async function findFile(path: string, before: FileMessage | undefined, log: Log): Promise<FileMessage | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path)
    const mark = `${mtimeMs} ${size} ${ino}`
    if (mark === before?.mark) return before
    return { mark, message: messageOf(await readStart(path).catch(() => '')) }
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!before) log.warn('maintenance file could not be checked', { path, error })
    return before ?? { mark: '', message: usualMessage }
  }
}

async function readStart(path: string): Promise<string> {
  // Opening a pipe without a writer would block for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * maxMessageLength), 0, 4 * maxMessageLength, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** The text of the file without control characters other than line ends. */
function messageOf(text: string): string {
  const shown = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim()
  return shown === '' ? usualMessage : shown.slice(0, maxMessageLength).toWellFormed()
}

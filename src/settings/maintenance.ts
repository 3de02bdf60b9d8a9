// Maintenance mode: whether the site is closed, and the message that visitors see. A row in the table of settings switches it on; a change
// is seen within a second in every process. A file in the home does so too, without the database. Each door decides what it refuses.

import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { isMissing } from '../missing.ts'
import type { Db, Store } from '../store/database.ts'
import type { SettingRow } from '../store/schema.ts'
import { formatDate } from './time-zone.ts'

/** The key of the row. No setting in `definitions.ts` has this key. */
export const maintenanceKey = 'maintenance'

/** A file with this name in the home closes the site, whatever the row says. Its text is the message. */
export const maintenanceFile = 'MAINTENANCE'

/** Longest message, in characters. */
export const maxMessageLength = 500

/** The content of the row. The site is closed while it exists. */
export interface Announced {
  readonly message: string | null
  /** UTC milliseconds. The site opens by itself at this time. */
  readonly until: number | null
}

/** The message to visitors and callers of a closed site. */
export interface Closed {
  /** A sentence or two; lines end in `\n`. */
  readonly message: string
  /** UTC milliseconds; null when no end is set. */
  readonly until: number | null
  readonly retryAfterSeconds: number
  /** True if the file closes the site. Then only removing the file opens it. */
  readonly byFile: boolean
}

export interface Maintenance {
  /** Undefined while the site is open. It reads memory only, since every call and page asks it. */
  now(): Closed | undefined
  /** Reads the row again. Called when the area `settings` changed. */
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
    // An earlier read that took longer is out of date. A later one that has not ended yet is no reason to keep the old row.
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
  return JSON.stringify({ message, until: until === null ? null : formatDate(until) })
}

interface FileMessage {
  /** Changes with each change of the file. */
  readonly mark: string
  readonly message: string
}

/** A file that exists but can't be read closes the site too. */
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

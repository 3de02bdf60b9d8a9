// Maintenance: whether the site is closed for a while, and what is said meanwhile. A row of the settings' table says so, current within a
// second of a change anywhere; and so does a file in the home, for whoever can't open the database. What is refused is each door's.

import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { isMissing } from '../missing.ts'
import type { Db, Store } from '../store/database.ts'
import type { SettingRow } from '../store/schema.ts'
import { formatDate } from './time-zone.ts'

/** The row's key; no setting of `definitions.ts` has it. */
export const maintenanceKey = 'maintenance'

/** A file of this name in the home closes the site, whatever the row says; its text is the message. */
export const maintenanceFile = 'MAINTENANCE'

/** Longest message, in characters. */
export const maxMessageLength = 500

/** What the row says while it is there. */
export interface Announced {
  readonly message: string | null
  /** UTC milliseconds; from then on the site is open again by itself. */
  readonly until: number | null
}

/** What is told to whoever finds the site closed. */
export interface Closed {
  /** A sentence or two; lines end in `\n`. */
  readonly message: string
  /** UTC milliseconds; null when nobody said. */
  readonly until: number | null
  readonly retryAfterSeconds: number
  /** Whether the file says so: then only its going opens the site. */
  readonly byFile: boolean
}

export interface Maintenance {
  /** What holds now; undefined while the site is open. Costs nothing: it is asked at every call and page. */
  now(): Closed | undefined
  /** Reads the row anew; called when the area `settings` changed. */
  reload(): Promise<void>
  /** Looks at the file now. */
  look(): Promise<void>
  close(): void
}

const usualMessage = 'This site is being worked on and will be back soon.'
const usualRetrySeconds = 120
const lookMs = 500

/** Reads row and file, and keeps an eye on the file. */
export async function openMaintenance(store: Store, home: string, clock: Clock, log: Log): Promise<Maintenance> {
  const path = join(home, maintenanceFile)
  let announced: Announced | undefined
  let inFile: Found | undefined
  let latest = 0

  const reload = async () => {
    const turn = ++latest
    const row = await findRow(store.read)
    // A slower read that began earlier knows less.
    if (turn === latest) announced = row && announcedIn(row)
  }
  let looking: Promise<void> | undefined
  const lookOnce = async () => {
    inFile = await findFile(path, inFile, log)
  }
  // One after the other: a disk that hangs must not be asked again and again.
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

/** What a row's words come to at a time; undefined when that has passed. */
function closedBy({ message, until }: Announced, now: number): Closed | undefined {
  if (until !== null && until <= now) return undefined
  const retryAfterSeconds = until === null ? usualRetrySeconds : Math.ceil((until - now) / 1000)
  return { message: message ?? usualMessage, until, retryAfterSeconds, byFile: false }
}

/** The row, where there is one. */
export async function findRow(db: Db): Promise<SettingRow | undefined> {
  return db.selectFrom('setting').selectAll().where('key', '=', maintenanceKey).executeTakeFirst()
}

/** What a row says. */
export function announcedIn({ value }: Pick<SettingRow, 'value'>): Announced {
  const { message, until } = JSON.parse(value) as { message: string | null; until: string | null }
  return { message, until: until === null ? null : Date.parse(until) }
}

/** The row's value, with the time as people read it in a diff. */
export function rowValue({ message, until }: Announced): string {
  return JSON.stringify({ message, until: until === null ? null : formatDate(until) })
}

interface Found {
  /** Tells whether the file is the one that was read. */
  readonly mark: string
  readonly message: string
}

/** A file that is there but can't be read closes the site too: whoever put it there meant it. */
async function findFile(path: string, before: Found | undefined, log: Log): Promise<Found | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path)
    const mark = `${mtimeMs} ${size} ${ino}`
    if (mark === before?.mark) return before
    return { mark, message: messageOf(await readStart(path).catch(() => '')) }
  } catch (error) {
    if (isMissing(error)) return undefined
    if (!before) log.warn('maintenance file not looked at', { path, error })
    return before ?? { mark: '', message: usualMessage }
  }
}

async function readStart(path: string): Promise<string> {
  // A pipe without another end would hold the reader for ever.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4 * maxMessageLength), 0, 4 * maxMessageLength, 0)
    return buffer.toString('utf8', 0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Without what no page should show: controls, but for line ends. */
function messageOf(text: string): string {
  const shown = text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\n]/gu, '')
    .trim()
  return shown === '' ? usualMessage : shown.slice(0, maxMessageLength).toWellFormed()
}

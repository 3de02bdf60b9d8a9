// Dates as callers send and receive them: strict ISO 8601 in, UTC milliseconds inside, UTC with milliseconds out. The public site
// decides the format of dates on pages.

/** The meaning of a date without a time: the first or the last millisecond of that day. */
export type Edge = 'start' | 'end'

const dayMs = 86_400_000

const form = /^([1-9]\d{3}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?$/

/**
 * Parses a date or date-time of the years 1000 to 9999 as UTC milliseconds; undefined for any other text. Without an offset, the
 * text is in `zone`: a time that summer time skips moves forward, and of a repeated time the first one counts. Fractions of a
 * millisecond are dropped.
 * @throws RangeError for a zone that `isTimeZone` rejects
 */
export function parseDate(text: string, zone: string, edge: Edge): number | undefined {
  const [, date, time, seconds = '00', fraction = '', offset] = form.exec(text) ?? []
  if (date === undefined) return undefined
  const written = `${date}T${time ?? '00:00'}:${seconds}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  const local = Date.parse(written)
  // `Date` turns 30 February into a day of March, so the result must format to the same text.
  if (Number.isNaN(local) || formatDate(local) !== written) return undefined
  return withinYears(time === undefined ? edgeOfDay(local, zone, edge) : instantOf(local, zone, offset))
}

const relative = /^([+-])(\d{1,4})(min|h|d|w|mo|y)$/

/** True if a text is a date relative to now, such as `-7d` or `-30min`. */
export const isRelativeDate = (text: string): boolean => relative.test(text)

/**
 * Parses a date relative to now, such as `-7d` or `-30min`, in minutes, hours, days, weeks, months (`mo`) or years. Days and
 * longer units follow the calendar and the clock of `zone`, so that `-7d` is the same time of day across a change of summer time.
 * In a month that is too short for the day, the last day counts. Undefined for any other text, and for a date outside the years
 * 1000 to 9999.
 */
export function parseRelativeDate(text: string, zone: string, now: number): number | undefined {
  const [, sign, digits, unit = ''] = relative.exec(text) ?? []
  if (digits === undefined) return undefined
  const count = sign === '-' ? -Number(digits) : Number(digits)
  const ms = msOfUnit[unit]
  if (ms !== undefined) return withinYears(now + count * ms)
  const wall = now + offsetAt(now, zone)
  const days = daysOfUnit[unit]
  const moved = days === undefined ? addMonths(wall, unit === 'y' ? 12 * count : count) : wall + count * days * dayMs
  return withinYears(moved) === undefined ? undefined : withinYears(instantInZone(moved, zone))
}

const msOfUnit: Readonly<Record<string, number>> = { min: 60_000, h: 3_600_000 }

const daysOfUnit: Readonly<Record<string, number>> = { d: 1, w: 7 }

function addMonths(wall: number, count: number): number {
  const date = new Date(wall)
  const day = date.getUTCDate()
  date.setUTCDate(1)
  date.setUTCMonth(date.getUTCMonth() + count)
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()
  return date.setUTCDate(Math.min(day, lastDay))
}

/** Formats a time as in every answer: `2026-11-21T06:55:48.000Z`. @throws RangeError for an invalid time */
export function formatDate(ms: number): string {
  return new Date(ms).toISOString()
}

export const formatDateOrNull = (ms: number | null): string | null => (ms === null ? null : formatDate(ms))

/**
 * True if this machine knows a time zone of this name, such as `Europe/Berlin` or `UTC`. Offsets are refused, because they have
 * no summer time.
 */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]{0,60}$/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function edgeOfDay(local: number, zone: string, edge: Edge): number {
  return edge === 'start' ? instantInZone(local, zone) : instantInZone(local + dayMs, zone) - 1
}

function instantOf(local: number, zone: string, offset: string | undefined): number {
  if (offset === undefined) return instantInZone(local, zone)
  return offset === 'Z' ? local : local - offsetMs(offset)
}

function offsetMs(offset: string): number {
  const [hours, minutes] = offset.slice(1).split(':').map(Number)
  return (offset.startsWith('-') ? -60_000 : 60_000) * ((hours ?? 0) * 60 + (minutes ?? 0))
}

/**
 * The instant at which clocks of a zone show `local` (a wall time, written as if it were UTC). Around a change of offset, a wall
 * time can be valid before the change, after it, in both cases (the first counts) or in neither (the old offset counts).
 */
function instantInZone(local: number, zone: string): number {
  const before = local - offsetAt(local - dayMs, zone)
  const after = local - offsetAt(local + dayMs, zone)
  const fitting = [before, after].filter((instant) => instant + offsetAt(instant, zone) === local)
  return fitting.length > 0 ? Math.min(...fitting) : before
}

/** The day that clocks of a zone show at an instant: `2026-11-21`. */
export const dayIn = (instant: number, zone: string): string => wallTimeIn(instant, zone).slice(0, 10)

/** The first and the last millisecond of the day that clocks of a zone show at an instant. */
export function dayAround(instant: number, zone: string): { readonly start: number; readonly end: number } {
  const local = Date.parse(`${dayIn(instant, zone)}T00:00:00Z`)
  return { start: edgeOfDay(local, zone, 'start'), end: edgeOfDay(local, zone, 'end') }
}

/** The time that clocks of a zone show at an instant: `2026-11-21T08:30:00`. */
export const wallTimeIn = (instant: number, zone: string): string => formatDate(instant + offsetAt(instant, zone)).slice(0, 19)

/** Returns the time by which a zone is ahead of UTC at an instant, in milliseconds. */
function offsetAt(instant: number, zone: string): number {
  const shown: Record<string, string> = {}
  for (const { type, value } of formatterOf(zone).formatToParts(instant)) shown[type] = value.padStart(2, '0')
  const { year = '', month = '', day = '', hour = '', minute = '', second = '' } = shown
  const wall = Date.parse(`${year.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}Z`)
  return wall - Math.floor(instant / 1000) * 1000
}

// Making a formatter costs a thousand times as much as using one. A site has one zone, so this map stays small. `Intl` is used
// instead of `date-fns-tz`, which reads its argument in the machine's zone and doesn't say which of two repeated times it means.
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone)
  if (!formatter) formatters.set(timeZone, (formatter = new Intl.DateTimeFormat('en-US', { ...wallParts, timeZone })))
  return formatter
}

const wallParts: Intl.DateTimeFormatOptions = {
  calendar: 'iso8601',
  numberingSystem: 'latn',
  hourCycle: 'h23',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
}

const earliest = Date.parse('1000-01-01T00:00:00Z')
const latest = Date.parse('9999-12-31T23:59:59.999Z')
const withinYears = (instant: number): number | undefined => (instant >= earliest && instant <= latest ? instant : undefined)

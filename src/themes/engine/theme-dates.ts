// Dates as the filter `date` shows them: in the language of the page and the time zone of the site.

/** The formats of the filter, each with the options of `Intl.DateTimeFormat`. */
const formats = {
  short: { dateStyle: 'short' },
  medium: { dateStyle: 'medium' },
  long: { dateStyle: 'long' },
  full: { dateStyle: 'full' },
  day: { day: 'numeric', month: 'long' },
  month: { month: 'long', year: 'numeric' },
  year: { year: 'numeric' },
  time: { timeStyle: 'short' },
  datetime: { dateStyle: 'long', timeStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>
/** Creating a format takes longer than rendering a page, so formats are cached. A site uses few of them. */
const made = new Map<string, Intl.DateTimeFormat>()
const maxMade = 100

/** A date as data has it: ISO 8601, `now`, or UTC milliseconds; nothing if there is none. */
export type ThemeDate = string | number | null | undefined

/** @throws Error for an unknown format */
export function shownDate(value: ThemeDate, format: string, language: string, timeZone: string): string {
  const at = dateOf(value)
  if (at === undefined) return ''
  // A day without a time is the same day in every time zone.
  const zone = /^\d{4}-\d\d-\d\d$/.test(String(value)) ? 'UTC' : timeZone
  return formatOf(format, language, zone).format(at)
}

/** ISO 8601 in UTC; empty if there is no date. */
export const isoDate = (value: ThemeDate): string => dateOf(value)?.toISOString() ?? ''

function dateOf(value: ThemeDate): Date | undefined {
  if (value === null || value === undefined || value === '') return undefined
  const at = value === 'now' ? new Date() : new Date(value)
  if (Number.isNaN(at.getTime())) throw new Error(`${JSON.stringify(String(value).slice(0, 40))} is not a date`)
  return at
}

function formatOf(name: string, language: string, timeZone: string): Intl.DateTimeFormat {
  const key = `${name} ${language} ${timeZone}`
  const known = made.get(key)
  if (known) return known
  if (!Object.hasOwn(formats, name))
    throw new Error(`the filter date has no format ${JSON.stringify(name.slice(0, 40))}, only ${Object.keys(formats).join(', ')}`)
  const format = new Intl.DateTimeFormat(languageOr(language), { ...formats[name as keyof typeof formats], timeZone })
  if (made.size >= maxMade) made.clear()
  made.set(key, format)
  return format
}

function languageOr(language: string): string {
  try {
    return Intl.getCanonicalLocales(language)[0] ?? 'en'
  } catch {
    return 'en'
  }
}

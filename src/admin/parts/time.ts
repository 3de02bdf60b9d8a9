// Times in words: relative times such as "3 minutes ago", with the exact time in the site's time zone as the element's title. Times
// more than a week away are shown with their date.

import { html, type Html } from '../../doors/shared/html.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words.ts'

type Reader = Pick<Visit, 'site' | 't' | 'now'>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** The number of days after which a time is shown with its date. */
const maxDays = 7

/** A time on a page, such as `3 minutes ago` or `yesterday at 14:05`; `none` for null. @param iso as answers use it, in UTC */
export function shownTime(visit: Reader, iso: string | null, none: string = visit.t('parts.time_never')): Html {
  if (iso === null) return html`${none}`
  return html`<time datetime="${iso}" title="${exactText(visit, iso)}">${relativeText(visit, iso) ?? farText(visit, iso)}</time>`
}

/** A range of time, such as `today, 14:05–14:20`. */
export function shownSpan(visit: Reader, from: string, to: string): Html {
  const { site, t, now } = visit
  const zone = site.settings.values.time_zone
  const [first, last] = [Date.parse(from), Date.parse(to)]
  const [begin, end] = [first, last].map((at) => formatOf(t.language, zone, 'time').format(at))
  if (daysBetween(first, last, zone) !== 0) return html`${shownTime(visit, from)} – ${shownTime(visit, to)}`
  if (begin === end) return shownTime(visit, to)
  const days = daysBetween(now, last, zone)
  const day =
    Math.abs(days) > maxDays ? formatOf(t.language, zone, 'day').format(last) : relativeOf(t.language).format(days, 'day')
  const exact = `${exactText(visit, from)} – ${exactText(visit, to)}`
  return html`<time datetime="${to}" title="${exact}">${day}, ${begin}–${end}</time>`
}

/** The same for a narrow column: a time more than a week away has only its date. The exact time is the title. */
export function shownDay(visit: Reader, iso: string | null, none: string = visit.t('parts.time_never')): Html {
  if (iso === null) return html`${none}`
  const day =
    relativeText(visit, iso) ?? formatOf(visit.t.language, visit.site.settings.values.time_zone, 'day').format(new Date(iso))
  return html`<time datetime="${iso}" title="${exactText(visit, iso)}">${day}</time>`
}

/** An exact time, for times that are compared with others, such as those of a log. */
export const exactTime = (visit: Pick<Reader, 'site' | 't'>, iso: string): Html =>
  html`<time datetime="${iso}">${exactText(visit, iso)}</time>`

/** Such as `22 Nov 2026, 14:05 CET`. */
const exactText = ({ site, t }: Pick<Reader, 'site' | 't'>, iso: string): string =>
  formatOf(t.language, site.settings.values.time_zone, 'full').format(new Date(iso))

/** Returns a time such as `22 Nov, 14:05`, with the year if it is not the current one. */
function farText({ site, t, now }: Reader, iso: string): string {
  const yearOf = (at: number): string => formatOf('sv', zone, 'date').format(at).slice(0, 4)
  const zone = site.settings.values.time_zone
  const at = Date.parse(iso)
  return formatOf(t.language, zone, yearOf(at) === yearOf(now) ? 'near' : 'far').format(at)
}

function relativeText({ site, t, now }: Reader, iso: string): string | undefined {
  const zone = site.settings.values.time_zone
  const at = Date.parse(iso)
  const [away, days] = [Math.abs(at - now), daysBetween(now, at, zone)]
  if (Math.abs(days) > maxDays) return undefined
  if (away < minuteMs) return t('parts.time_just_now')
  const words = relativeOf(t.language)
  if (away < hourMs) return words.format(Math.trunc((at - now) / minuteMs), 'minute')
  if (days === 0) return words.format(Math.trunc((at - now) / hourMs), 'hour')
  const time = formatOf(t.language, zone, 'time').format(at)
  return t('parts.time_at', { day: words.format(days, 'day'), time })
}

/** The number of midnights between two times in a time zone. */
function daysBetween(from: number, to: number, zone: string): number {
  const dayOf = (at: number): number => Math.round(Date.parse(`${formatOf('sv', zone, 'date').format(at)}T00:00:00Z`) / dayMs)
  return dayOf(to) - dayOf(from)
}

const shapes = {
  full: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  far: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  near: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  time: { hour: '2-digit', minute: '2-digit' },
  date: { dateStyle: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

/** The formatters. Creating one costs more than using it, and a site has one time zone. */
const formats = new Map<string, Intl.DateTimeFormat>()
const relatives = new Map<string, Intl.RelativeTimeFormat>()

function formatOf(language: string, timeZone: string, shape: keyof typeof shapes): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${shape}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), { ...shapes[shape], timeZone })
  formats.set(key, format)
  return format
}

/** English dates begin with the day, and use 24 hours. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language)

function relativeOf(language: Words['language']): Intl.RelativeTimeFormat {
  const words = relatives.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  relatives.set(language, words)
  return words
}

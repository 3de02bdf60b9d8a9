// Times as people read them: how long ago or how far ahead, and the exact time in the site's time zone as the element's title. A time that is more
// than a week away is shown with its day.

import { html, type Html } from '../../doors/html.ts'
import type { Visit } from '../visit.ts'
import type { Words } from '../words.ts'

type Reader = Pick<Visit, 'site' | 't' | 'now'>

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs
/** Times that are further away are shown with their day. */
const maxDays = 7

/** A time on a page, such as `3 minutes ago` or `yesterday at 14:05`; `none` for null. @param iso as answers have it, in UTC */
export function shownTime(visit: Reader, iso: string | null, none: string = visit.t('parts.time_never')): Html {
  if (iso === null) return html`${none}`
  return html`<time datetime="${iso}" title="${exactText(visit, iso)}">${relativeText(visit, iso) ?? farText(visit, iso)}</time>`
}

/** From one time to a later one, such as `today, 14:05–14:20`. */
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

/** The same in a narrow column: of a time that is more than a week away, the day alone. The exact time is its title. */
export function shownDay(visit: Reader, iso: string | null, none: string = visit.t('parts.time_never')): Html {
  if (iso === null) return html`${none}`
  const day =
    relativeText(visit, iso) ?? formatOf(visit.t.language, visit.site.settings.values.time_zone, 'day').format(new Date(iso))
  return html`<time datetime="${iso}" title="${exactText(visit, iso)}">${day}</time>`
}

/** A time that is read beside others, such as those of a log: always exact. */
export const exactTime = (visit: Reader, iso: string): Html => html`<time datetime="${iso}">${exactText(visit, iso)}</time>`

/** Such as `22 Nov 2026, 14:05 CET`. */
const exactText = ({ site, t }: Reader, iso: string): string =>
  formatOf(t.language, site.settings.values.time_zone, 'full').format(new Date(iso))

/** Such as `22 Nov, 14:05`, and with the year if it is another than now. */
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

/** How many midnights of the zone lie between two times. */
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

/** Making a formatter costs more than using it, and a site has one zone. */
const formats = new Map<string, Intl.DateTimeFormat>()
const relatives = new Map<string, Intl.RelativeTimeFormat>()

function formatOf(language: string, timeZone: string, shape: keyof typeof shapes): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${shape}`
  const format = formats.get(key) ?? new Intl.DateTimeFormat(localeOf(language), { ...shapes[shape], timeZone })
  formats.set(key, format)
  return format
}

/** Dates in English begin with the day, and a day has 24 hours. */
const localeOf = (language: string): string => (language === 'en' ? 'en-GB' : language)

function relativeOf(language: Words['language']): Intl.RelativeTimeFormat {
  const words = relatives.get(language) ?? new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  relatives.set(language, words)
  return words
}

// Times as people read them, in the site's time zone.

import { formatInTimeZone } from 'date-fns-tz'
import { html, type Html } from '../../doors/html.ts'
import type { Visit } from '../visit.ts'

/** A time on a page; `none` for null. @param iso as answers have it, in UTC */
export function shownTime({ site }: Pick<Visit, 'site'>, iso: string | null, none = 'never'): Html {
  if (iso === null) return html`${none}`
  const zone = site.settings.values.time_zone
  return html`<time datetime="${iso}">${formatInTimeZone(iso, zone, 'd MMM yyyy, HH:mm')} ${zoneName(iso, zone)}</time>`
}

/** `CET` where the zone has a name that people know, else `GMT+9`. */
function zoneName(iso: string, zone: string): string {
  return zone === 'UTC' ? 'UTC' : formatInTimeZone(iso, zone, 'zzz')
}

// Times of WXR. A file has no time zone, but most items have the same time in UTC and on the clock of the site.

import type { ImportTime } from '../../stream.ts'

/** `2024-05-01 08:30:00`; zeros are a time that was never set. */
const sqlTime = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)$/
const neverSet = '0000-00-00 00:00:00'

/** Returns the UTC milliseconds of a time, read as UTC. */
function toUtc(time: string): number | undefined {
  const match = sqlTime.exec(time)
  const utc = match && time !== neverSet ? Date.parse(`${match[1]}T${match[2]}Z`) : NaN
  return utc > 0 ? utc : undefined
}

/**
 * Returns the time of an item: in UTC, or by the clock of the site if UTC is not set, as in drafts.
 * @param pubDate the last resort; undated drafts have the year −1 there
 */
export function timeOf(gmt: string, local: string, pubDate = ''): ImportTime | undefined {
  const utc = toUtc(gmt)
  if (utc !== undefined) return { utc }
  if (toUtc(local) !== undefined) return { local: local.replace(' ', 'T') }
  const published = /\s-\d{4}\s/.test(pubDate) ? NaN : Date.parse(pubDate)
  return published > 0 ? { utc: published } : undefined
}

/** Counts how far local times are from UTC. */
export interface OffsetCount {
  note(gmt: string, local: string): void
  /** The commonest offset, in minutes. */
  commonest(): number | undefined
}

export function createOffsetCount(): OffsetCount {
  const counts = new Map<number, number>()
  return {
    note(gmt, local) {
      const utc = toUtc(gmt)
      const wall = toUtc(local)
      if (utc === undefined || wall === undefined) return
      const minutes = Math.round((wall - utc) / 60_000)
      if (Math.abs(minutes) <= 14 * 60) counts.set(minutes, (counts.get(minutes) ?? 0) + 1)
    },
    commonest: () => [...counts].sort(([, one], [, other]) => other - one)[0]?.[0],
  }
}

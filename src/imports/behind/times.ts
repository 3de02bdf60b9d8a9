// Times of an old site as UTC milliseconds.

import { parseDate } from '../../settings/time-zone.ts'
import type { ImportTime } from '../stream.ts'

/** @param zone of the old site, for times of the clock on the wall. @returns undefined for a time that means nothing */
export function utcOf(time: ImportTime | undefined, zone: string): number | undefined {
  if (time === undefined) return undefined
  if ('utc' in time) return Number.isSafeInteger(time.utc) && Math.abs(time.utc) < maxTime ? time.utc : undefined
  return parseDate(time.local.trim(), zone, 'start')
}

const maxTime = Date.UTC(9999, 11, 31)

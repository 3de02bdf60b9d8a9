// The arguments `from` and `to`: days in the time zone of the site.

import { Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { dayIn, parseDate, parseRelativeDate } from '../../settings/time-zone.ts'
import type { DayRange } from '../../statistics/read-counts.ts'
import type { Context } from '../call/action.ts'

const usualDays = 30
const dayMs = 86_400_000

const day = (description: string) => Type.Optional(Type.String({ description, maxLength: 40 }))

export const rangeProperties = {
  from: day(`The first day, such as \`2026-11-01\` or \`-7d\`. The default is ${usualDays - 1} days before the last.`),
  to: day('The last day. The default is today.'),
}

/** @throws Failure `invalid` */
export function rangeOf(
  context: Pick<Context, 'now' | 'site'>,
  { from, to }: { readonly from?: string; readonly to?: string },
): DayRange {
  const last = to === undefined ? dayOf(context, 'to', '+0d') : dayOf(context, 'to', to)
  const usual = new Date(Date.parse(last) - (usualDays - 1) * dayMs).toISOString().slice(0, 10)
  const first = from === undefined ? usual : dayOf(context, 'from', from)
  if (first > last) throw invalid('from', `"from" is ${first}, which is after ${last}.`, 'a day that is not after "to"')
  return { from: first, to: last }
}

function dayOf({ now, site }: Pick<Context, 'now' | 'site'>, field: string, text: string): string {
  const zone = site.settings.values.time_zone
  const at = parseDate(text, zone, 'start') ?? parseRelativeDate(text, zone, now)
  if (at !== undefined) return dayIn(at, zone)
  throw invalid(field, `"${field}" is not a day.`, 'a day such as 2026-11-01, or a relative one such as -7d')
}

// `since` of SVC_Activity: a date, or a restore point. A restore point is the record of the action `mark`, which changes nothing.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { visibleTo } from '../../activity/find.ts'
import { invalid } from '../../base/failure.ts'
import { parseDate, parseRelativeDate } from '../../settings/time-zone.ts'
import type { ActivityRow, Schema } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'

const markCall = 'SVC_Activity.mark'

/** The start of a range of records. */
export interface Since {
  /** UTC milliseconds. */
  readonly at: number
  /** The named restore point. Only the records after it count. */
  readonly mark?: Pick<ActivityRow, 'id' | 'account_id' | 'token_id'>
}

/** The most restore points that are searched for a name, the newest first. */
const maxMarks = 1000

/**
 * Returns the time that a text means: the newest restore point with this name, the one with this id, or a date.
 * @throws Failure `invalid`
 */
export async function readSince(context: Context, text: string): Promise<Since> {
  const found = await findMark(context, text)
  if (found) return { at: found.at, mark: found }
  const at = readDate(context, text)
  if (at !== undefined) return { at }
  throw invalid(
    'since',
    '"since" must be a date such as 2026-11-21T06:55, or the name of a restore point.',
    'a date, with or without a time, a relative one such as -7d or -30min, or a name given to SVC_Activity.mark',
  )
}

/** Parses a date or a relative date to UTC milliseconds. */
export function readDate({ site, now }: Pick<Context, 'site' | 'now'>, text: string): number | undefined {
  const zone = site.settings.values.time_zone
  return parseDate(text, zone, 'start') ?? parseRelativeDate(text, zone, now)
}

async function findMark({ db, caller }: Context, text: string) {
  const marks = await db
    .selectFrom('activity')
    .select(['id', 'at', 'account_id', 'token_id', 'input'])
    .where('call', '=', markCall)
    .where((eb) => visibleTo(eb, caller))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxMarks)
    .execute()
  return marks.find(({ id }) => id === text) ?? marks.find(({ input }) => nameIn(input) === text)
}

const nameIn = (input: string): unknown => (JSON.parse(input) as { readonly name?: unknown }).name

/** The condition that a record is after the start. Restore points are left out. */
export function isSince(eb: ExpressionBuilder<Schema, 'activity'>, { at, mark }: Since): Expression<SqlBool> {
  const later = mark ? eb.or([eb('activity.at', '>', at), eb('activity.id', '>', mark.id)]) : eb.and([])
  return eb.and([eb('activity.at', '>=', at), later, eb('activity.call', '!=', markCall)])
}

// Activity records found, for those who may see them: the tier and the classes of what ran decide.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { type Caller, includesTier, type Tier, tiers } from '../identity/caller.ts'
import type { RowChange } from '../store/change.ts'
import type { Db } from '../store/database.ts'
import type { ActivityRow, Schema } from '../store/schema.ts'

/** Whether a caller could run what a record tells of, whichever actions are there today. */
function maySee(caller: Caller, { tier, runs }: Pick<ActivityRow, 'tier' | 'runs'>): boolean {
  if (!includesTier(caller.tier, tier as Tier)) return false
  const classes = caller.token?.limits.classes
  return classes === undefined || namesOf(runs).every((name) => classes.includes(classOf(name)))
}

/**
 * The same as a condition of a query. With limited classes it leaves out records of several actions whose own class isn't among
 * them, though each of their actions may be: SQL can't look into a list on every database alike.
 */
export function visibleTo(eb: ExpressionBuilder<Schema, 'activity'>, caller: Caller): Expression<SqlBool> {
  const mine = tiers.filter((tier) => includesTier(caller.tier, tier))
  const classes = caller.token?.limits.classes
  const byTier = eb('activity.tier', 'in', mine)
  if (classes === undefined) return byTier
  // One action, of a class that is allowed: `["SVC_Content.update"]`.
  const single = classes.map(
    (name) => sql<SqlBool>`activity.runs like ${`["${escapeLike(name)}.%`} escape '\\' and activity.runs not like '%,%'`,
  )
  return eb.and([byTier, eb.or(single)])
}

const escapeLike = (text: string): string => text.replaceAll(/[%_\\]/g, (sign) => `\\${sign}`)

/** The record of an id, if this caller may see it. */
export async function findVisible(db: Db, caller: Caller, id: string): Promise<ActivityRow | undefined> {
  const row = await db.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirst()
  return row && maySee(caller, row) ? row : undefined
}

/** The newest record that this caller may see. */
export async function findLatest(db: Db, caller: Caller): Promise<ActivityRow | undefined> {
  const query = db
    .selectFrom('activity')
    .selectAll()
    .where((eb) => visibleTo(eb, caller))
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** What a record's call changed, in its order. */
export function changesOf(row: Pick<ActivityRow, 'changes'>): readonly RowChange[] {
  return JSON.parse(row.changes) as RowChange[]
}

/** The actions that ran in it. */
export function namesOf(runs: string): readonly string[] {
  return JSON.parse(runs) as string[]
}

const classOf = (name: string): string => name.slice(0, name.lastIndexOf('.'))

// Finds the activity records that a caller may see. This depends on the tier and the classes of the actions that ran.

import { type Expression, type ExpressionBuilder, sql, type SqlBool } from 'kysely'
import { type Caller, classesOf, includesTier, type Tier, tiers } from '../identity/caller.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'
import type { ActivityRow, Schema } from '../store/core/schema.ts'

/** True if a caller's tier and classes allow all actions of a record. Some actions may no longer exist. */
export function maySee(caller: Caller, { tier, runs }: Pick<ActivityRow, 'tier' | 'runs'>): boolean {
  if (!includesTier(caller.tier, tier as Tier)) return false
  const classes = classesOf(caller)
  return classes === undefined || namesOf(runs).every((name) => classes.includes(classOf(name)))
}

/**
 * A query condition for the records that a caller may see. For a token that is limited to some classes, it leaves out records of
 * several actions, even if all of them are allowed, because databases differ in how they search a JSON list.
 */
export function visibleTo(eb: ExpressionBuilder<Schema, 'activity'>, caller: Caller): Expression<SqlBool> {
  const mine = tiers.filter((tier) => includesTier(caller.tier, tier))
  const classes = classesOf(caller)
  const byTier = eb('activity.tier', 'in', mine)
  if (classes === undefined) return byTier
  // Matches a single action of an allowed class, such as `["SVC_Content.update"]`.
  const single = classes.map(
    (name) => sql<SqlBool>`activity.runs like ${`["${escapeLike(name)}.%`} escape '\\' and activity.runs not like '%,%'`,
  )
  return eb.and([byTier, eb.or(single)])
}

const escapeLike = (text: string): string => text.replaceAll(/[%_\\]/g, (sign) => `\\${sign}`)

/** The record with this id, if the caller may see it. */
export async function findVisible(db: Db, caller: Caller, id: string): Promise<ActivityRow | undefined> {
  const row = await db.selectFrom('activity').selectAll().where('id', '=', id).executeTakeFirst()
  return row && maySee(caller, row) ? row : undefined
}

export async function findLatest(db: Db, caller: Caller): Promise<ActivityRow | undefined> {
  const query = db
    .selectFrom('activity')
    .selectAll()
    .where((eb) => visibleTo(eb, caller))
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(1).executeTakeFirst()
}

/** The row changes of a record, in their order. */
export function changesOf(row: Pick<ActivityRow, 'changes'>): readonly RowChange[] {
  return JSON.parse(row.changes) as RowChange[]
}

/** The names of the actions that ran, from the column `runs`. */
export function namesOf(runs: string): readonly string[] {
  return JSON.parse(runs) as string[]
}

const classOf = (name: string): string => name.slice(0, name.lastIndexOf('.'))

/** Counts the changes that were made with each of these tokens or apps. */
export async function countChanges(db: Db, credentials: readonly { readonly id: string }[]): Promise<(id: string) => number> {
  const ids = credentials.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await db
          .selectFrom('activity')
          .select(['token_id', (eb) => eb.fn.countAll().as('n')])
          .where('token_id', 'in', ids)
          .groupBy('token_id')
          .execute()
  const counts = new Map(rows.map(({ token_id: id, n }) => [id, Number(n)]))
  return (id) => counts.get(id) ?? 0
}

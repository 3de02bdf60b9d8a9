// The activity record of a write: who made it, with which token, through which door, by which call, and each row before and after.

import type { Transaction } from 'kysely'
import { cutText } from '../cut-text.ts'
import { type Caller, nameOf, type Tier, tiers } from '../identity/caller.ts'
import { jsonText } from '../json.ts'
import type { RowChange } from '../store/change.ts'
import { kinds } from '../store/kinds.ts'
import type { ActivityRow, Schema } from '../store/schema.ts'

/** An action that ran within a call. */
export interface Ran {
  readonly name: string
  readonly tier: Tier
  readonly effect: string
}

/** What an activity record says. */
export interface ActivityFacts {
  readonly id: string
  /** `SVC_Content.update` */
  readonly call: string
  /** Every action that ran; for a batch, the actions of its calls. */
  readonly runs: readonly Ran[]
  readonly summary: string
  readonly caller: Caller
  /** Without secrets. */
  readonly input: Readonly<Record<string, unknown>>
  readonly records: readonly RowChange[]
  readonly now: number
}

/** Databases limit the values that are bound to one statement; SQLite allows some 32,000. */
const rowsAtOnce = 1000

/** Longer texts of the input are cut; the row changes have the whole. */
const maxInputText = 200

/**
 * Writes the record, in the transaction of the change.
 * @returns false when nothing had changed: then no record is written
 */
export async function recordActivity(db: Transaction<Schema>, facts: ActivityFacts): Promise<boolean> {
  const { id, runs, records } = facts
  const effect = strongest(
    effectsByStrength,
    runs.map((ran) => ran.effect),
  )
  if (records.length === 0 && (effect === 'write' || effect === 'read')) return false
  await db.insertInto('activity').values(rowOf(facts, effect)).execute()
  const objects = new Map(
    records.map(({ kind, id: objectId, revision }) => [
      `${kind} ${objectId}`,
      { activity_id: id, kind, object_id: objectId, revision },
    ]),
  )
  const rows = [...objects.values()]
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await db
      .insertInto('activity_object')
      .values(rows.slice(from, from + rowsAtOnce))
      .execute()
  return true
}

function rowOf({ id, call, runs, summary, caller, input, records, now }: ActivityFacts, effect: string): ActivityRow {
  const shortened = JSON.stringify(input, (_key, value: unknown) =>
    typeof value === 'string' ? cutText(value, maxInputText) : value,
  )
  const tier = strongest(
    tiers,
    runs.map((ran) => ran.tier),
  )
  return {
    id,
    at: now,
    account_id: caller.account?.id ?? null,
    token_id: caller.token?.id ?? null,
    by_name: nameOf(caller),
    token_name: caller.token?.name ?? null,
    door: caller.door,
    address: caller.address,
    call,
    runs: JSON.stringify([...new Set(runs.map((ran) => ran.name))]),
    tier,
    effect,
    summary,
    input: shortened,
    changes: jsonText(records.map((record) => kept(record, effect))),
    undone_by: null,
  }
}

/** The strongest effect decides about undo: one call that can't be taken back makes the whole record so. */
const effectsByStrength = ['read', 'write', 'act', 'destroy']

function strongest<T extends string>(order: readonly T[], found: readonly T[]): T {
  return order.findLast((step) => found.includes(step)) as T
}

/** A record keeps neither the content of purged objects nor secrets. */
function kept(record: RowChange, effect: string): RowChange {
  const secret: readonly string[] = kinds[record.kind].secret
  const strip = (row: RowChange['before']) =>
    row && Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)))
  return effect === 'destroy'
    ? { ...record, before: null, after: null }
    : { ...record, before: strip(record.before), after: strip(record.after) }
}

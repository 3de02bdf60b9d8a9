// The activity record of a write: its caller, token, door and call, and the state of each row before and after.

import type { Transaction } from 'kysely'
import { cutText } from '../base/cut-text.ts'
import { type Caller, nameOf, type Tier, tiers } from '../identity/caller.ts'
import { jsonText } from '../base/json.ts'
import type { RowChange } from '../store/change/change.ts'
import { insertOf } from '../store/core/compile-once.ts'
import { kinds, labelColumns, listedKind } from '../store/change/kinds.ts'
import { shownObjects, textOfObjects, type ListedObject } from './objects.ts'
import { queueWrite } from '../store/core/queued-writes.ts'
import type { ActivityRow, Schema } from '../store/core/schema.ts'

export interface Ran {
  readonly name: string
  readonly tier: Tier
  readonly effect: string
}

/** The author of a record, as it has them. */
export type RecordAuthor = Pick<ActivityRow, 'account_id' | 'token_id' | 'by_name' | 'token_name'>

export interface ActivityFacts {
  readonly id: string
  /** The name of the action that was called, such as `SVC_Content.update`. */
  readonly call: string
  /** Every action that ran. For a batch, these are the actions of its calls. */
  readonly runs: readonly Ran[]
  readonly summary: string
  readonly caller: Caller
  /** The proposer of the change, if the caller has accepted it. The work stays under the proposer's name. */
  readonly proposer?: RecordAuthor | undefined
  /** The input of the call, without secrets. */
  readonly input: Readonly<Record<string, unknown>>
  readonly records: readonly RowChange[]
  readonly now: number
  /** The record of which this one is a part. Lists show only the whole, and one undo takes all its parts back. */
  readonly partOf?: string | undefined
  /** True for a record that has its changes in parts. It is written although it has none itself. */
  readonly isWhole?: boolean | undefined
}

/** Databases limit the number of values in one statement. SQLite allows about 32,000. */
const rowsAtOnce = 1000

/** Longer texts in the input are cut. The row changes contain the whole text. */
const maxInputText = 200

/**
 * Writes the record, in the transaction of the change, without waiting for it.
 * @returns false if nothing has changed. Then no record is written
 */
export function recordActivity(db: Transaction<Schema>, facts: ActivityFacts): boolean {
  const { id, runs, records, isWhole = false } = facts
  const effect = strongest(
    effectsByStrength,
    runs.map((ran) => ran.effect),
  )
  if (records.length === 0 && !isWhole && (effect === 'write' || effect === 'read')) return false
  queueWrite(db, { query: insertOf(db, 'activity', rowOf(facts, effect)) })
  const objects = new Map(
    records.map(({ kind, id: objectId, revision, label, after }) => {
      const path = effect === 'destroy' && after === null ? null : (label?.path ?? null)
      return [`${kind} ${objectId}`, { activity_id: id, kind, object_id: objectId, revision, path }]
    }),
  )
  const rows = [...objects.values()]
  const [first, ...others] = rows
  if (first) queueWrite(db, { query: insertOf(db, 'activity_object', first) })
  for (let from = 0; from < others.length; from += rowsAtOnce)
    queueWrite(db, {
      query: db
        .insertInto('activity_object')
        .values(others.slice(from, from + rowsAtOnce))
        .compile(),
    })
  return true
}

function rowOf(
  { id, call, runs, summary, caller, proposer, input, records, now, partOf }: ActivityFacts,
  effect: string,
): ActivityRow {
  const shortened = JSON.stringify(input, (_key, value: unknown) =>
    typeof value === 'string' ? cutText(value, maxInputText) : value,
  )
  const tier = strongest(
    tiers,
    runs.map((ran) => ran.tier),
  )
  const objects = listedObjects(records, effect)
  return {
    id,
    at: now,
    ...(proposer ?? authorOf(caller)),
    accepted_by: proposer ? nameOf(caller) : null,
    accepted_by_id: proposer ? (caller.account?.id ?? null) : null,
    door: caller.door,
    address: caller.address,
    call,
    runs: JSON.stringify([...new Set(runs.map((ran) => ran.name))]),
    tier,
    effect,
    summary,
    input: shortened,
    changes: jsonText(records.map((record) => kept(record, effect))),
    objects: jsonText(shownObjects(objects)),
    about: textOfObjects(objects),
    undone_by: null,
    part_of: partOf ?? null,
  }
}

/** The author of a caller's own change. */
const authorOf = (caller: Caller): RecordAuthor => ({
  account_id: caller.account?.id ?? null,
  token_id: caller.token?.id ?? null,
  by_name: nameOf(caller),
  token_name: caller.token?.name ?? null,
})

/** The strongest effect decides if a record can be undone: one call that can't be undone makes the whole record permanent. */
const effectsByStrength = ['read', 'write', 'act', 'destroy']

function strongest<T extends string>(order: readonly T[], found: readonly T[]): T {
  return order.findLast((step) => found.includes(step)) as T
}

const withoutLive = ({ live: _live, ...record }: RowChange): RowChange => record

/** Removes the content of destroyed objects, and all secrets, from a row change. */
function kept({ label: _label, rows: _rows, place: _place, ...record }: RowChange, effect: string): RowChange {
  const { secret } = kinds[record.kind]
  const strip = (row: RowChange['before']) =>
    row && Object.fromEntries(Object.entries(row).filter(([column]) => !secret.includes(column)))
  return effect === 'destroy'
    ? { ...withoutLive(record), before: null, after: null }
    : { ...record, before: strip(record.before), after: strip(record.after) }
}

function listedObjects(records: readonly RowChange[], effect: string): readonly ListedObject[] {
  return listedChanges(records).map(({ kind, id, label, after }) => {
    const destroyed = effect === 'destroy' && after === null
    return { kind: listedKind(kind), id, ...(destroyed ? { title: null, path: null } : label) }
  })
}

type ListedChange = RowChange & Required<Pick<RowChange, 'label'>>

/** The latest change of each object that a record lists. */
export function listedChanges(records: readonly RowChange[]): readonly ListedChange[] {
  const changes = new Map<string, ListedChange>()
  for (const record of records) {
    const { kind, id } = record
    if (!isLabelled(record) || labelColumns(kind).unlisted) continue
    const shownAs = listedKind(kind)
    // An object that is listed as another kind already is not listed twice.
    if (shownAs !== kind && changes.has(`${shownAs} ${id}`)) continue
    changes.set(`${shownAs} ${id}`, record)
  }
  return [...changes.values()]
}

const isLabelled = (record: RowChange): record is ListedChange => record.label !== undefined

// A record in the answers of SVC_Activity.

import { type Static, Type } from 'typebox'
import { type ListedObject, objectsOf } from '../../activity/objects.ts'
import { undoneBy } from '../../activity/undone.ts'
import { doors, includesTier } from '../../identity/caller.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { ActivityRow } from '../../store/core/schema.ts'
import { type Context, effects } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'

export const summaryProperties = {
  id: Type.String(),
  at: Type.String(),
  by: Type.String({ description: 'Name of the person or program that did it.' }),
  account: nullable(Type.String(), 'Id of the account; null for Postern itself and the command line.'),
  token: nullable(Type.String(), 'Id of the token that was used.'),
  token_name: nullable(Type.String(), 'Name of the token at that time.'),
  accepted_by: nullable(Type.String(), 'Name of the person who accepted it, where it was proposed first.'),
  door: Type.Enum([...doors]),
  call: Type.String({ description: 'Such as SVC_Content.update.' }),
  summary: Type.String(),
  objects: Type.Array(
    Type.Object({
      kind: Type.String(),
      id: Type.String(),
      title: nullable(Type.String(), 'What it was called then; null where it was destroyed for good.'),
      path: nullable(Type.String(), 'Path of an entry.'),
    }),
    { description: 'The first objects that the call changed.' },
  ),
  effect: Type.Enum([...effects], { description: 'Only `write` can be undone.' }),
  undone_by: nullable(Type.String(), 'Id of the record that undid this one; null where it was not undone.'),
  address: Type.Optional(Type.String({ description: 'Network address; shown to the tier `admin` only.' })),
}
export const summaryItem = Type.Object(summaryProperties)

export type ActivityItem = Static<typeof summaryItem>

/** The columns that an item needs. */
export const summaryColumns = [
  'id',
  'at',
  'account_id',
  'token_id',
  'by_name',
  'token_name',
  'accepted_by',
  'door',
  'address',
  'call',
  'summary',
  'effect',
  'objects',
  'undone_by',
] as const
type SummaryRow = Pick<ActivityRow, (typeof summaryColumns)[number]>

/** Data for the items of records that their rows don't have. */
interface RecordFacts {
  readonly undone: ReadonlyMap<string, string>
  readonly objects: ReadonlyMap<string, readonly ListedObject[]>
}

/** Reads the facts of these records at once. */
export const factsOf = async ({ db }: Context, rows: readonly SummaryRow[]): Promise<RecordFacts> => ({
  undone: await undoneBy(db, rows),
  objects: await objectsOf(db, rows),
})

export function summaryOf({ caller }: Context, row: SummaryRow, { undone, objects }: RecordFacts): ActivityItem {
  return {
    id: row.id,
    at: formatDate(row.at),
    by: row.by_name,
    account: row.account_id,
    token: row.token_id,
    token_name: row.token_name,
    accepted_by: row.accepted_by,
    door: row.door as ActivityItem['door'],
    call: row.call,
    summary: row.summary,
    objects: [...(objects.get(row.id) ?? [])],
    effect: row.effect as ActivityItem['effect'],
    undone_by: undone.get(row.id) ?? null,
    ...(includesTier(caller.tier, 'admin') ? { address: row.address } : {}),
  }
}

// The maker of a change, in words for whoever is about to change the same: the account and the token, and how long ago it was.

import { cutText } from '../base/cut-text.ts'
import { type Caller, nameOf } from '../identity/caller.ts'
import type { Db } from '../store/core/database.ts'
import type { ActivityRow } from '../store/core/schema.ts'
import { maySee } from './find.ts'

/** The columns of a record that say who made a change, and who may see that. */
export const makerColumns = [
  'at',
  'account_id',
  'token_id',
  'by_name',
  'token_name',
  'accepted_by',
  'door',
  'tier',
  'runs',
] as const

export type Maker = Pick<ActivityRow, (typeof makerColumns)[number]>

/** The maker of a revision of an object; undefined without a record of it. */
export const findMaker = (db: Db, objectId: string, revision: number): Promise<Maker | undefined> =>
  db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select(makerColumns.map((column) => `activity.${column}` as const))
    .where('activity_object.object_id', '=', objectId)
    .where('activity_object.revision', '=', revision)
    .limit(1)
    .executeTakeFirst()

/** The caller that is told. */
export interface Viewer {
  readonly caller: Caller
  /** True if the caller may list records, which name tokens. */
  readonly seesRecords: boolean
}

/** The name of the token that made a change, for a caller who may see its record. */
export const tokenNameFor = (made: Maker, { caller, seesRecords }: Viewer): string | null =>
  seesRecords && maySee(caller, made) ? made.token_name : null

/** True if the caller made a change itself, with the same token. */
export const isOwnChange = (made: Maker, caller: Caller): boolean =>
  made.account_id === (caller.account?.id ?? null) &&
  made.token_id === (caller.token?.id ?? null) &&
  made.by_name === nameOf(caller)

const maxNameChars = 100

/** `Anna with the token "Draft helper" changed this 40 seconds ago.` */
export function whoChanged(made: Maker, viewer: Viewer, now: number): string {
  const token = tokenNameFor(made, viewer)
  const who = isOwnChange(made, viewer.caller)
    ? 'You'
    : `${named(made.by_name)}${token === null ? '' : ` with the token ${JSON.stringify(named(token))}`}`
  const accepted = token === null || made.accepted_by === null ? '' : `, accepted by ${named(made.accepted_by)}`
  return `${who} changed this ${agoOf(now - made.at)}${accepted}.`
}

/** Names are people's words: they stay on one line. */
const named = (name: string): string => cutText(name.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed(), maxNameChars)

const units = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `40 seconds ago`; of a longer time the largest unit of which there are two. */
function agoOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds === 0) return 'just now'
  const [unit, length] = units.find(([, size]) => seconds >= 2 * size) ?? units[3]
  const count = Math.floor(seconds / length)
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`
}

// Lists the changes of an object since one of its revisions. A conflict about a stale `if_revision` reports them.

import { diffOf, type RowChange } from '../store/change/change.ts'
import { Failure } from '../base/failure.ts'
import { makerColumns, tokenNameFor, type Viewer, whoChanged } from './who.ts'
import type { Db } from '../store/core/database.ts'

export interface ChangeSince {
  readonly revision: number
  readonly at: string
  readonly by: string
  /** The door through which it came. */
  readonly via: string
  /** The name of the token that made it. Absent without one, and for callers who may not see the record. */
  readonly token?: string
  readonly call: string
  readonly fields: readonly string[]
}

/** Lists the changes after a revision, newest first, at most ten. @param viewer the caller that is told of tokens, too */
export async function changesSince(db: Db, objectId: string, revision: number, viewer?: Viewer): Promise<readonly ChangeSince[]> {
  return (await rowsSince(db, objectId, revision)).map((row) => toChange(row, objectId, viewer))
}

type Row = Awaited<ReturnType<typeof rowsSince>>[number]

function toChange(row: Row, objectId: string, viewer: Viewer | undefined): ChangeSince {
  const records = (JSON.parse(row.changes) as RowChange[]).filter((record) => record.id === objectId)
  const fields = [...new Set(diffOf(records).map(({ field }) => field))]
  const token = viewer ? tokenNameFor(row, viewer) : null
  const { by_name: by, door: via, call } = row
  const at = new Date(row.at).toISOString()
  return { revision: row.revision ?? 0, at, by, via, ...(token !== null && { token }), call, fields }
}

const rowsSince = (db: Db, objectId: string, revision: number) =>
  db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select(['activity_object.revision', 'activity.call', 'activity.changes'])
    .select(makerColumns.map((column) => `activity.${column}` as const))
    .where('activity_object.object_id', '=', objectId)
    .where('activity_object.revision', '>', revision)
    .orderBy('activity_object.revision', 'desc')
    .limit(10)
    .execute()

/**
 * Adds the changes since `ifRevision` to the conflict about a stale revision, and says who made the last. Any other error is
 * returned as it is.
 */
export async function withChangesSince(
  db: Db,
  ifRevision: number | undefined,
  thrown: unknown,
  viewer: Viewer,
  now: number,
): Promise<unknown> {
  if (!(thrown instanceof Failure) || thrown.code !== 'conflict' || ifRevision === undefined || thrown.detail.id === undefined)
    return thrown
  const { id } = thrown.detail
  const rows = await rowsSince(db, id, ifRevision)
  const [last] = rows
  if (!last) return thrown
  const changes = rows.map((row) => toChange(row, id, viewer))
  const message = `${thrown.message} ${whoChanged(last, viewer, now)}`
  return new Failure(thrown.code, message, { ...thrown.detail, changes }, { cause: thrown })
}

// Lists the changes of an object since one of its revisions. A conflict about a stale `if_revision` reports them.

import { diffOf, type RowChange } from '../store/change/change.ts'
import { Failure } from '../base/failure.ts'
import type { Db } from '../store/core/database.ts'

export interface ChangeSince {
  readonly revision: number
  readonly at: string
  readonly by: string
  readonly call: string
  readonly fields: readonly string[]
}

/** Lists the changes after a revision, newest first, at most ten. */
export async function changesSince(db: Db, objectId: string, revision: number): Promise<readonly ChangeSince[]> {
  const rows = await db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select(['activity_object.revision', 'activity.at', 'activity.by_name', 'activity.call', 'activity.changes'])
    .where('activity_object.object_id', '=', objectId)
    .where('activity_object.revision', '>', revision)
    .orderBy('activity_object.revision', 'desc')
    .limit(10)
    .execute()
  return rows.map((row) => {
    const records = (JSON.parse(row.changes) as RowChange[]).filter((record) => record.id === objectId)
    const fields = [...new Set(diffOf(records).map(({ field }) => field))]
    return { revision: row.revision ?? 0, at: new Date(row.at).toISOString(), by: row.by_name, call: row.call, fields }
  })
}

/** Adds the changes since `ifRevision` to the conflict about a stale revision. Any other error is returned as it is. */
export async function withChangesSince(db: Db, ifRevision: number | undefined, thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Failure) || thrown.code !== 'conflict' || ifRevision === undefined || thrown.detail.id === undefined)
    return thrown
  const changes = await changesSince(db, thrown.detail.id, ifRevision)
  return new Failure(thrown.code, thrown.message, { ...thrown.detail, changes }, { cause: thrown })
}

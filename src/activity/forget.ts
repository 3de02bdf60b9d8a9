// Removes the content of a purged object from earlier activity records. The records themselves stay.

import { jsonText } from '../base/json.ts'
import type { RowChange } from '../store/change/change.ts'
import type { Db } from '../store/core/database.ts'
import { withoutObject } from './objects.ts'
import type { Kind } from '../store/change/kinds.ts'

/** Blanks the rows of an object in every record, and the inputs of these records, in the transaction that purges it. */
export async function forgetObject(db: Db, kind: Kind, objectId: string): Promise<void> {
  const touching = await db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select(['activity.id', 'activity.changes', 'activity.objects', 'activity.about'])
    .where('activity_object.kind', '=', kind)
    .where('activity_object.object_id', '=', objectId)
    .execute()
  for (const { id, changes, ...shown } of touching) {
    const records = JSON.parse(changes) as RowChange[]
    const blanked = records.map((record) =>
      record.kind === kind && record.id === objectId
        ? { kind, id: objectId, before: null, after: null, revision: record.revision }
        : record,
    )
    await db
      .updateTable('activity')
      .set({ changes: jsonText(blanked), input: '{}', ...withoutObject(shown, kind, objectId) })
      .where('id', '=', id)
      .execute()
  }
  await db.updateTable('activity_object').set({ path: null }).where('kind', '=', kind).where('object_id', '=', objectId).execute()
}

// The makers of revisions as activity names them: the token or app, and who accepted what it proposed. The records say it, so that
// both lists name the same author.

import { type Maker, makerColumns, tokenNameFor } from '../../activity/who.ts'
import type { Context } from '../call/action.ts'
import { viewerOf } from '../call/viewer.ts'

interface Revision {
  readonly revision: number
  readonly by_name: string
  readonly at: number
}

/** The author of a revision, as far as the caller may know it. */
export interface RevisionMaker {
  readonly by: string
  readonly token_name: string | null
  readonly accepted_by: string | null
}

type Found = Maker & { readonly object_revision: number | null }

/** Finds the makers of these revisions of an object. */
export async function findRevisionMakers(
  context: Context,
  objectId: string,
  rows: readonly Revision[],
): Promise<(row: Revision) => RevisionMaker> {
  const viewer = viewerOf(context)
  const found = viewer.seesRecords && rows.length > 0 ? await recordsOf(context, objectId, rows) : []
  return (row) => {
    const made = recordOf(found, row)
    const token = made && tokenNameFor(made, viewer)
    return made && token !== null && token !== undefined
      ? { by: made.by_name, token_name: token, accepted_by: made.accepted_by }
      : { by: row.by_name, token_name: null, accepted_by: null }
  }
}

const recordsOf = ({ db }: Context, objectId: string, rows: readonly Revision[]): Promise<readonly Found[]> => {
  const times = rows.map(({ at }) => at)
  return db
    .selectFrom('activity_object')
    .innerJoin('activity', 'activity.id', 'activity_object.activity_id')
    .select([...makerColumns.map((column) => `activity.${column}` as const), 'activity_object.revision as object_revision'])
    .where('activity_object.object_id', '=', objectId)
    .where((eb) =>
      eb.or([
        eb.between('activity.at', Math.min(...times), Math.max(...times)),
        eb(
          'activity_object.revision',
          'in',
          rows.map(({ revision }) => revision),
        ),
      ]),
    )
    .execute()
}

/** A record has the last revision that it made. A batch may have made earlier ones of the same object, at the same time. */
const recordOf = (found: readonly Found[], { revision, at }: Revision): Found | undefined =>
  found.find((one) => one.object_revision === revision) ??
  found.find((one) => one.at === at && (one.object_revision ?? 0) > revision)

// The examples with which a site began: the entries that SVC_Site.begin made and that nobody has changed since. Its record in the
// activity says which they are.

import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'

export const beginCall = 'SVC_Site.begin'

export type ExamplePage = Pick<EntryRow, 'id' | 'title' | 'path'>

export interface Examples {
  /** The examples that are as they were made. */
  readonly unchanged: readonly ExamplePage[]
  /** Those that somebody has changed, so that they belong to the site now. */
  readonly changed: readonly ExamplePage[]
}

const none: Examples = { unchanged: [], changed: [] }

/** Finds the examples of the latest beginning. Drafts among what it made, such as the imprint, are none. */
export async function findExamples(db: Db): Promise<Examples> {
  const record = await db
    .selectFrom('activity')
    .select('id')
    .where('call', '=', beginCall)
    .where('undone_by', 'is', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!record) return none
  const rows = await db
    .selectFrom('activity_object')
    .innerJoin('entry', 'entry.id', 'activity_object.object_id')
    .select(['entry.id', 'entry.title', 'entry.path', 'entry.status', 'entry.revision', 'activity_object.revision as made'])
    .where('activity_object.activity_id', '=', record.id)
    .where('activity_object.kind', '=', 'entry')
    .where('entry.status', '!=', 'trash')
    .orderBy('entry.path')
    .execute()
  const isUnchanged = ({ revision, made }: (typeof rows)[number]) => revision === made
  return {
    unchanged: rows.filter((row) => isUnchanged(row) && row.status === 'published'),
    changed: rows.filter((row) => !isUnchanged(row)),
  }
}

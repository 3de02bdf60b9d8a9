// Comments and members of old sites, as rows that nobody reads on the site. `take-in-comments.ts` makes comments of the first.

import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { insertOf } from '../../store/core/compile-once.ts'
import type { Db } from '../../store/core/database.ts'
import { queueWrite } from '../../store/core/queued-writes.ts'
import type { ImportCommentRow, ImportMemberRow, Schema } from '../../store/core/schema.ts'

/** The id of the row of a comment or member of an old site. */
export const keptId = (source: string, oldId: string): string =>
  createHash('sha256').update(`${source}\0${oldId}`).digest('base64url')

/** Keeps a comment. A further import of the same site replaces it. */
export function keepComment(db: Transaction<Schema>, row: Omit<ImportCommentRow, 'id'>): void {
  queueWrite(db, { query: insertOf(db, 'import_comment', { id: keptId(row.source, row.old_id), ...row }, 'id') })
}

/** Keeps a member, as `keepComment` does. */
export function keepMember(db: Transaction<Schema>, row: Omit<ImportMemberRow, 'id'>): void {
  queueWrite(db, { query: insertOf(db, 'import_member', { id: keptId(row.source, row.old_id), ...row }, 'id') })
}

/** Removes the comments and members of a run that is undone. @param activity the record of the run */
export async function forgetPeople(db: Db, activity: string): Promise<void> {
  const run = await db.selectFrom('import_run').select('id').where('activity_id', '=', activity).executeTakeFirst()
  if (!run) return
  await db.deleteFrom('import_comment').where('run_id', '=', run.id).execute()
  await db.deleteFrom('import_member').where('run_id', '=', run.id).execute()
}

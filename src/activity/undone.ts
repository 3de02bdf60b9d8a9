// Checks if a record is undone. Each record names its latest undo. If that undo was itself undone, the record is in force again.

import type { Db } from '../store/core/database.ts'

/** The longest chain of undo, redo, undo, … that is followed. */
const maxChain = 1000

/** The id of the undo that is in force for each record, by the record's id. Records that are not undone are left out. */
export async function undoneBy(
  db: Db,
  rows: readonly { readonly id: string; readonly undone_by: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const undos = new Map<string, string>()
  for (const { id, undone_by: by } of rows) if (by !== null && !(await isUndone(db, by))) undos.set(id, by)
  return undos
}

/** True if the record with this id is undone. The record of the running undo isn't written yet, and counts as in force. */
export async function isUndone(db: Db, id: string): Promise<boolean> {
  let undone = false
  let at: string | null = id
  for (let step = 0; at !== null && step < maxChain; step++) {
    const row: { undone_by: string | null } | undefined = await db
      .selectFrom('activity')
      .select('undone_by')
      .where('id', '=', at)
      .executeTakeFirst()
    at = row?.undone_by ?? null
    if (at !== null) undone = !undone
  }
  return undone
}

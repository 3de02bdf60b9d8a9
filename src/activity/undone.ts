// Whether a record is undone now. Each names the undo that took it back last; where that was undone itself, it is in force again.

import type { Db } from '../store/database.ts'

/** No chain of undo, redo, undo, … is followed further. */
const maxChain = 1000

/** By id, the undo that holds now; records in force are not in it. */
export async function undoneBy(
  db: Db,
  rows: readonly { readonly id: string; readonly undone_by: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>()
  for (const { id, undone_by: by } of rows) if (by !== null && !(await isUndone(db, by))) held.set(id, by)
  return held
}

/** Whether the record of an id is undone. One that isn't written yet (the undo that runs now) is in force. */
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

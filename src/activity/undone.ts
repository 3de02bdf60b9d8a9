// Whether a record is undone now. Each record names its latest undo; where that undo was undone itself, the record is in force again.

import type { Db } from '../store/database.ts'

/** A longer chain of undo, redo, undo, … is not followed. */
const maxChain = 1000

/** The undo in force of each record, by the record's id; records that are not undone are left out. */
export async function undoneBy(
  db: Db,
  rows: readonly { readonly id: string; readonly undone_by: string | null }[],
): Promise<ReadonlyMap<string, string>> {
  const held = new Map<string, string>()
  for (const { id, undone_by: by } of rows) if (by !== null && !(await isUndone(db, by))) held.set(id, by)
  return held
}

/** Whether the record with this id is undone. A record that isn't written yet (the undo that is running) is in force. */
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

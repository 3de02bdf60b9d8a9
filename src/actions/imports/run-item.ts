// A run of an import in answers.

import { type Static, Type } from 'typebox'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { ImportRunRow } from '../../store/core/schema.ts'
import { undoneBy } from '../../activity/undone.ts'
import type { Db } from '../../store/core/database.ts'
import { nullable } from '../call/write-answer.ts'

export const runItem = Type.Object({
  id: Type.String(),
  file: Type.String(),
  format: Type.String(),
  source: Type.String({ description: 'The old site.' }),
  by: Type.String(),
  state: Type.Enum(['running', 'done', 'failed', 'cancelled'], {
    description: 'Of one that failed or was cancelled, the same call goes on where it stopped.',
  }),
  phase: Type.String(),
  taken_back: Type.Boolean({ description: 'True if the import was undone.' }),
  activity_id: Type.String({ description: 'SVC_Activity.undo with it takes the whole import back.' }),
  created_at: Type.String(),
  finished_at: nullable(Type.String()),
})

/** @param undone the records of imports that were undone (`undoneRuns`) */
export const runItemOf = (row: ImportRunRow, undone: ReadonlySet<string>): Static<typeof runItem> => ({
  id: row.id,
  file: row.file,
  format: row.format,
  source: row.source,
  by: row.by_name,
  state: row.state as 'done',
  phase: row.phase,
  taken_back: undone.has(row.activity_id),
  activity_id: row.activity_id,
  created_at: formatDate(row.created_at),
  finished_at: formatDateOrNull(row.finished_at),
})

/** Returns which of the records of these runs are undone. */
export async function undoneRuns(db: Db, rows: readonly Pick<ImportRunRow, 'activity_id'>[]): Promise<ReadonlySet<string>> {
  if (rows.length === 0) return new Set()
  const ids = rows.map(({ activity_id: id }) => id)
  const records = await db.selectFrom('activity').select(['id', 'undone_by']).where('id', 'in', ids).execute()
  return new Set((await undoneBy(db, records)).keys())
}

// A run of an import in answers.

import { type Static, Type } from 'typebox'
import { formatDate, formatDateOrNull } from '../../settings/time-zone.ts'
import type { ImportRunRow } from '../../store/core/schema.ts'
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
  activity_id: Type.String({ description: 'SVC_Activity.undo with it takes the whole import back.' }),
  created_at: Type.String(),
  finished_at: nullable(Type.String()),
})

export const runItemOf = (row: ImportRunRow): Static<typeof runItem> => ({
  id: row.id,
  file: row.file,
  format: row.format,
  source: row.source,
  by: row.by_name,
  state: row.state as 'done',
  phase: row.phase,
  activity_id: row.activity_id,
  created_at: formatDate(row.created_at),
  finished_at: formatDateOrNull(row.finished_at),
})

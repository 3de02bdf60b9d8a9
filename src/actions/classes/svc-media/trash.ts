// The common parts of putting files into the trash and restoring them. Files are stored until purge.

import type { MediaRow } from '../../../store/schema.ts'
import type { WriteContext } from '../../action.ts'
import { settleAfterwards } from './writing.ts'

export async function put(context: WriteContext, before: MediaRow, deletedAt: number | null): Promise<void> {
  const { row } = await context.change.update('media', before, { deleted_at: deletedAt })
  settleAfterwards(context, row)
}

export function answer(all: readonly MediaRow[], done: readonly MediaRow[]) {
  const unchanged = all.filter((row) => !done.includes(row))
  return { done: done.map(({ id }) => id), unchanged: unchanged.map(({ id }) => id), warnings: [], activity_id: null }
}

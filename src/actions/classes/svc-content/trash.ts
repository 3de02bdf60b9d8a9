// The common parts of putting entries into the trash and restoring them.

import { Type } from 'typebox'
import type { Warning } from '../../../content/markup.ts'
import type { EntryRow } from '../../../store/schema.ts'

export const withChildren = (description: string) => Type.Optional(Type.Boolean({ description }))

export function answer(done: readonly EntryRow[], unchanged: readonly EntryRow[], warnings: readonly Warning[]) {
  const idsOf = (rows: readonly EntryRow[]) => rows.map(({ id }) => id)
  return { done: idsOf(done), unchanged: idsOf(unchanged), warnings: [...warnings] as never, activity_id: null }
}

/** Returns each entry once, even if it was named several times, by id and by path. */
export async function each(ids: readonly string[], get: (id: string) => Promise<EntryRow>): Promise<readonly EntryRow[]> {
  const found = new Map<string, EntryRow>()
  for (const id of ids) {
    const row = await get(id)
    found.set(row.id, row)
  }
  return [...found.values()]
}

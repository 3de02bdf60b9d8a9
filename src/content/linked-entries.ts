// The entries that paths lead to, whatever their status is: for those who write. `link-targets.ts` finds only public ones, for pages.

import type { Db } from '../store/database.ts'

/** Where a path leads. */
export interface LinkedEntry {
  readonly path: string
  readonly id: string
  readonly title: string
  readonly status: string
  /** The present path, where the entry was at this path before. */
  readonly moved_to?: string
}

/** By path. Paths that lead to no entry are absent. */
export async function findLinkedEntries(db: Db, paths: readonly string[]): Promise<ReadonlyMap<string, LinkedEntry>> {
  if (paths.length === 0) return new Map()
  const present = await db.selectFrom('entry').select(['path', 'id', 'title', 'status']).where('path', 'in', paths).execute()
  const former = await db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .select(['former_path.path', 'entry.path as now', 'entry.id', 'entry.title', 'entry.status'])
    .where('former_path.path', 'in', paths)
    .execute()
  const found = new Map<string, LinkedEntry>()
  for (const { now, ...entry } of former) if (now !== null) found.set(entry.path, { ...entry, moved_to: now })
  for (const { path, ...entry } of present) if (path !== null) found.set(path, { ...entry, path })
  return found
}

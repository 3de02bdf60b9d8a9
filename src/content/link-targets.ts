// Where links to entries lead: to the public entry at a path, else to the public entry that was there before.

import type { Db } from '../store/database.ts'
import { publicOnly } from './entry.ts'

/** The present paths of public entries, by these paths. Paths that lead to none are absent. */
export async function findLinkTargets(db: Db, paths: readonly string[], now: number): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map()
  const [former, present] = await Promise.all([
    db
      .selectFrom('former_path')
      .innerJoin('entry', 'entry.id', 'former_path.entry_id')
      .select(['former_path.path as from', 'entry.path as to'])
      .where('former_path.path', 'in', paths)
      .where((eb) => publicOnly(eb, now))
      .execute(),
    db
      .selectFrom('entry')
      .select(['path as from', 'path as to'])
      .where('path', 'in', paths)
      .where((eb) => publicOnly(eb, now))
      .execute(),
  ])
  return new Map([...former, ...present].flatMap(({ from, to }) => (from === null || to === null ? [] : [[from, to]])))
}

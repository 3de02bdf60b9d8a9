// The targets of links to entries: the published entry at a path, else the published entry that was there before. Entries with a
// password count.

import type { Db } from '../../store/core/database.ts'
import { publishedOnly } from '../entries/entry.ts'

/** The present paths of published entries, by the requested paths. Other paths are absent. */
export async function findLinkTargets(db: Db, paths: readonly string[], now: number): Promise<ReadonlyMap<string, string>> {
  if (paths.length === 0) return new Map()
  const present = await db
    .selectFrom('entry')
    .select('path')
    .where('path', 'in', paths)
    .where((eb) => publishedOnly(eb, now))
    .execute()
  const targets = new Map(present.flatMap(({ path }) => (path === null ? [] : [[path, path]])))
  const others = paths.filter((path) => !targets.has(path))
  for (const { from, to } of await findMoved(db, others, now)) if (to !== null) targets.set(from, to)
  return targets
}

/** Two queries instead of a join, so that a cached page depends on these entries alone. Few paths are former ones. */
async function findMoved(db: Db, paths: readonly string[], now: number) {
  if (paths.length === 0) return []
  const former = await db.selectFrom('former_path').select(['path', 'entry_id']).where('path', 'in', paths).execute()
  if (former.length === 0) return []
  const ids = former.map(({ entry_id: id }) => id)
  const entries = db
    .selectFrom('entry')
    .select(['id', 'path'])
    .where('id', 'in', ids)
    .where((eb) => publishedOnly(eb, now))
  const present = new Map((await entries.execute()).map(({ id, path }) => [id, path]))
  return former.map(({ path, entry_id: id }) => ({ from: path, to: present.get(id) ?? null }))
}

// The present paths of the things to which old addresses lead, as far as visitors may see them (attack 89).

import { publicProfiles } from '../../identity/profile.ts'
import { isPublicMedia } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { OldAddressRow } from '../../store/core/schema.ts'
import { publishedOnly } from '../entries/entry.ts'
import { pathOfTerm } from '../terms/terms.ts'
import { oldAddressesAt, type OldTargetKind } from './old-addresses.ts'
import { originalPaths } from './old-paths.ts'

const findPath: Readonly<Record<OldTargetKind, (db: Db, id: string, now: number) => Promise<string | null | undefined>>> = {
  async entry(db, id, now) {
    const entries = db.selectFrom('entry').select('path').where('id', '=', id)
    return (await entries.where((eb) => publishedOnly(eb, now)).executeTakeFirst())?.path
  },
  async term(db, id) {
    const row = await db.selectFrom('term').select('ref').where('id', '=', id).executeTakeFirst()
    return row && pathOfTerm(row)
  },
  async media(db, id, now) {
    const row = await db.selectFrom('media').selectAll().where('id', '=', id).executeTakeFirst()
    return row && (await isPublicMedia(db, row, now)) ? row.path : undefined
  },
  async account(db, id) {
    const row = await publicProfiles(db).where('id', '=', id).executeTakeFirst()
    return row && `/author/${row.slug}`
  },
}

/** The present paths of these entries; undefined for one that is not public. */
export async function entryPathsOf(
  db: Db,
  ids: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, string | undefined>> {
  const paths = new Map<string, string | undefined>(ids.map((id) => [id, undefined]))
  if (ids.length === 0) return paths
  const entries = db
    .selectFrom('entry')
    .select(['id', 'path'])
    .where('id', 'in', jsonTexts(db, ids))
    .where((eb) => publishedOnly(eb, now))
  for (const { id, path } of await entries.execute()) paths.set(id, path ?? undefined)
  return paths
}

/** Returns the present path of the first of these rows whose thing is public. */
export async function publicPathOf(
  db: Db,
  rows: readonly Pick<OldAddressRow, 'target_kind' | 'target_id'>[],
  now: number,
): Promise<string | undefined> {
  for (const row of rows) {
    const path = await findPath[row.target_kind as OldTargetKind](db, row.target_id, now)
    if (path !== undefined && path !== null) return path
  }
  return undefined
}

/** Returns the present path of what was at an old path; for a resized picture that of its original. Exact names come first. */
export async function findOldPath(db: Db, path: string, now: number): Promise<string | undefined> {
  const candidates = originalPaths(path)
  const rows = await oldAddressesAt(db, 'path', candidates)
  if (rows.length === 0) return undefined
  for (const candidate of candidates) {
    const found = await publicPathOf(
      db,
      rows.filter(({ old }) => old === candidate),
      now,
    )
    if (found !== undefined) return found
  }
  return undefined
}

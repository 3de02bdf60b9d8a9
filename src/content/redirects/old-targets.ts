// The present paths of the things to which old addresses lead, as far as visitors may see them (attack 89).

import { publicProfiles } from '../../identity/profile.ts'
import { isPublicMedia } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import type { OldAddressRow } from '../../store/core/schema.ts'
import { publishedOnly } from '../entries/entry.ts'
import { languageAt, mayBeLanguage, readLanguages } from '../languages/languages.ts'
import { findTerm, pathOfTerm } from '../terms/terms.ts'
import { oldAddressesAt, type OldTargetKind } from './old-addresses.ts'
import { originalPaths, toOldFeed } from './old-paths.ts'

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

/** Returns the feed of this site for a path at which other systems have one; for the comments of an entry, the entry. */
export async function findOldFeed(db: Db, path: string, now: number): Promise<string | undefined> {
  const feed = toOldFeed(path)
  if (!feed) return undefined
  const { of, file } = feed
  if (of === '' || (await isList(db, of))) return `${of}/${file}`
  const moved = await findOldPath(db, of, now)
  if (moved === undefined) return findEntryPath(db, of, now)
  return (await isList(db, moved)) ? `${moved}/${file}` : moved
}

/** True if the archive of a term, the posts of a public author, or the home page of a language is at a path. */
async function isList(db: Db, path: string): Promise<boolean> {
  const [, top = '', slug, more] = path.split('/')
  if (more !== undefined) return false
  if (slug === undefined) return mayBeLanguage(top) && languageAt(await readLanguages(db), path) !== undefined
  if (top === 'author') return (await publicProfiles(db).where('slug', '=', slug).executeTakeFirst()) !== undefined
  const term = await findTerm(db, path)
  return term !== undefined && pathOfTerm(term) === path
}

/** The present path of the public entry that is or was at a path. */
async function findEntryPath(db: Db, path: string, now: number): Promise<string | undefined> {
  const entries = db
    .selectFrom('entry')
    .select('entry.path')
    .where((eb) => publishedOnly(eb, now))
  const row =
    (await entries.where('entry.path', '=', path).executeTakeFirst()) ??
    (await entries
      .innerJoin('former_path', 'former_path.entry_id', 'entry.id')
      .where('former_path.path', '=', path)
      .executeTakeFirst())
  return row?.path ?? undefined
}

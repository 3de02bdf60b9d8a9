// Queries for the public pages. They return public entries only.

import { publicOnly } from '../content/entry.ts'
import { typesThat } from '../content/entry-types.ts'
import type { Db } from '../store/database.ts'
import type { EntryRow } from '../store/schema.ts'

/** The public entry at a path. */
export async function findPublicEntry(db: Db, path: string, now: number): Promise<EntryRow | undefined> {
  return db
    .selectFrom('entry')
    .selectAll()
    .where('path', '=', path)
    .where((eb) => publicOnly(eb, now))
    .executeTakeFirst()
}

/** The public entry with this id. */
export async function findPublicEntryById(db: Db, id: string, now: number): Promise<EntryRow | undefined> {
  return db
    .selectFrom('entry')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => publicOnly(eb, now))
    .executeTakeFirst()
}

/** The present path of the public entry that was at this path before. */
export async function findMovedTo(db: Db, path: string, now: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .select('entry.path')
    .where('former_path.path', '=', path)
    .where((eb) => publicOnly(eb, now))
    .executeTakeFirst()
  return row?.path ?? undefined
}

const listedTypes = typesThat('listed')
const hierarchicalTypes = typesThat('hierarchical')

const listedColumns = [
  'id',
  'type',
  'title',
  'path',
  'excerpt',
  'body',
  'published_at',
  'updated_at',
  'author_id',
  'revision',
  'locale',
] as const satisfies readonly (keyof EntryRow)[]

export type ListedPost = Pick<EntryRow, (typeof listedColumns)[number]>

/** Public entries of the types that the home page lists, newest first. If there are older ones, the result has one more than `limit`. */
export async function listPosts(db: Db, limit: number, offset: number, now: number): Promise<readonly ListedPost[]> {
  return db
    .selectFrom('entry')
    .select(listedColumns)
    .where('type', 'in', listedTypes)
    .where((eb) => publicOnly(eb, now))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
}

/** Top-level entries for the menu, in their order. */
export async function listMenuPages(
  db: Db,
  limit: number,
  now: number,
): Promise<readonly Pick<EntryRow, 'id' | 'title' | 'path'>[]> {
  return db
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where('type', 'in', hierarchicalTypes)
    .where((eb) => publicOnly(eb, now))
    .where('parent_id', 'is', null)
    .orderBy('position')
    .orderBy('title')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** The name under which an author's posts appear. */
export async function findAuthorName(db: Db, accountId: string | null): Promise<string | undefined> {
  if (accountId === null) return undefined
  const row = await db.selectFrom('account').select('name').where('id', '=', accountId).executeTakeFirst()
  return row?.name
}

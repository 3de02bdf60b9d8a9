// Queries for the public pages. They return public entries only.

import { publicOnly } from '../../content/entries/entry.ts'
import { typesThat } from '../../content/types/entry-types.ts'
import { inBranch, type LanguageBranch } from '../../content/languages/languages.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow } from '../../store/core/schema.ts'

export async function findPublicEntry(db: Db, path: string, now: number): Promise<EntryRow | undefined> {
  return db
    .selectFrom('entry')
    .selectAll()
    .where('path', '=', path)
    .where((eb) => publicOnly(eb, now))
    .executeTakeFirst()
}

export async function findPublicEntryById(db: Db, id: string, now: number): Promise<EntryRow | undefined> {
  return db
    .selectFrom('entry')
    .selectAll()
    .where('id', '=', id)
    .where((eb) => publicOnly(eb, now))
    .executeTakeFirst()
}

const listedTypes = typesThat('listed')

/** The columns of an entry that a list shows, or that summaries are made from. */
export const listedColumns = [
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
  'terms',
  'fields',
  'cover',
] as const satisfies readonly (keyof EntryRow)[]

export type ListedPost = Pick<EntryRow, (typeof listedColumns)[number]>

/**
 * Public entries of the types that a home page lists, newest first. If there are older ones, the result has one more than `limit`.
 */
export async function listPosts(
  db: Db,
  { languages, branch }: LanguageBranch,
  limit: number,
  offset: number,
  now: number,
): Promise<readonly ListedPost[]> {
  return db
    .selectFrom('entry')
    .select(listedColumns)
    .where('type', 'in', listedTypes)
    .where((eb) => publicOnly(eb, now))
    .where((eb) => inBranch(eb, languages, branch))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
}

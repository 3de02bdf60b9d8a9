// Queries for the public pages. Those of lists say which entries they want: all that have a page, or those without a password.

import { publicOnly, publishedOnly } from '../../content/entries/entry.ts'
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

/** The entry at a path whose text is behind a password. */
export async function findLockedEntry(db: Db, path: string, now: number): Promise<LockedEntry | undefined> {
  const row = await db
    .selectFrom('entry')
    .selectAll()
    .where('path', '=', path)
    .where('password_hash', 'is not', null)
    .where((eb) => publishedOnly(eb, now))
    .executeTakeFirst()
  return row && { ...row, password_hash: row.password_hash ?? '' }
}

export type LockedEntry = EntryRow & { readonly password_hash: string }

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
  'password_hash',
] as const satisfies readonly (keyof EntryRow)[]

export type ListedPost = Pick<EntryRow, (typeof listedColumns)[number]>

/**
 * The entries of a list: `open` without those that have a password, which feeds never name; `titled` with them, for pages that show
 * no more than their titles.
 */
export type ListedEntries = 'open' | 'titled'

/** Returns the condition of these entries on a query. */
export const listedOnly = (which: ListedEntries): typeof publicOnly => (which === 'open' ? publicOnly : publishedOnly)

/** A part of a list. If there are older entries, the result has one more than `limit`. */
export interface ListedPart {
  readonly which: ListedEntries
  readonly limit: number
  readonly offset: number
}

/** Returns entries of the types that a home page lists, newest first. */
export async function listPosts(
  db: Db,
  { languages, branch }: LanguageBranch,
  { which, limit, offset }: ListedPart,
  now: number,
): Promise<readonly ListedPost[]> {
  return db
    .selectFrom('entry')
    .select(listedColumns)
    .where('type', 'in', listedTypes)
    .where((eb) => listedOnly(which)(eb, now))
    .where((eb) => inBranch(eb, languages, branch))
    .orderBy('published_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .offset(offset)
    .execute()
}

// Queries for the public pages. Those of lists say which entries they want: all that have a page, or those without a password.

import { publicByIndex, publicOnly, publishedByIndex, publishedOnly } from '../../content/entries/entry.ts'
import { inBranch, languagesOf } from '../../content/languages/languages.ts'
import type { Services } from '../../actions/call/services.ts'
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
export const listedOnly = (which: ListedEntries): typeof publicByIndex => (which === 'open' ? publicByIndex : publishedByIndex)

/** A part of a list. If there are older entries, the result has one more than `limit`. */
export interface ListedPart {
  readonly which: ListedEntries
  readonly limit: number
  readonly offset: number
}

export interface Wanted {
  readonly which: ListedEntries
  /** At least one. */
  readonly types: readonly string[]
  /** Undefined for entries of all languages. */
  readonly branch?: string | null
  readonly author?: string
  /** In UTC milliseconds; `until` is the first moment after the period. */
  readonly period?: { readonly from: number; readonly until: number }
  /** The id of a term. */
  readonly term?: string
}

/** Entries, the newest first. If there are older ones, the result has one more than `limit`. */
export async function listNewest(
  site: Services,
  wanted: Omit<Wanted, 'which'>,
  { which, limit, offset }: ListedPart,
): Promise<readonly ListedPost[]> {
  const found = publicEntries(site, { ...wanted, which })
    .select('id')
    .limit(limit + 1)
    .offset(offset)
  return listedById(site, which, idsOf(await found.execute()))
}

export const idsOf = (rows: readonly { readonly id: string }[]): readonly string[] => rows.map(({ id }) => id)

/**
 * The entries of a list by their ids, in this order. A list finds ids by an index first: the texts of the entries before its page
 * are not read then, and its page depends on the texts of these entries alone.
 */
export async function listedById(site: Services, which: ListedEntries, ids: readonly string[]): Promise<readonly ListedPost[]> {
  if (ids.length === 0) return []
  const rows = await site.store.read
    .selectFrom('entry')
    .select(listedColumns)
    .where('id', 'in', ids)
    .where((eb) => (which === 'open' ? publicOnly : publishedOnly)(eb, site.clock.now()))
    .execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** A query of public entries, the newest first. */
export function publicEntries(site: Services, { which, types, branch, author, period, term }: Wanted) {
  let found = site.store.read
    .selectFrom('entry')
    .where('type', 'in', types)
    .where((eb) => listedOnly(which)(eb, site.clock.now()))
  if (branch !== undefined) found = found.where((eb) => inBranch(eb, languagesOf(site.settings.values), branch))
  if (author !== undefined) found = found.where('author_id', '=', author)
  if (period) found = found.where('published_at', '>=', period.from).where('published_at', '<', period.until)
  if (term !== undefined)
    found = found.where('id', 'in', (eb) => eb.selectFrom('entry_term').select('entry_id').where('term_id', '=', term))
  return found.orderBy('published_at', 'desc').orderBy('id', 'desc')
}

// The visibility and lookup of entries. `entry-item.ts` makes answers, `write-entry.ts` writes, `entry-cache.ts` caches.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { type Failure, notFound } from '../../base/failure.ts'
import { type Caller, includesTier } from '../../identity/caller.ts'
import type { Db } from '../../store/core/database.ts'
import type { EntryRow, Schema } from '../../store/core/schema.ts'
import { trimEndOf, trimStartOf } from '../../base/trim-text.ts'

export const entryStatuses = ['draft', 'scheduled', 'published', 'private', 'trash'] as const
export type EntryStatus = (typeof entryStatuses)[number]

type Visibility = Pick<EntryRow, 'status' | 'unpublish_at' | 'password_hash'>

/**
 * True if the public site has a page for an entry. Its text may be behind a password, so this decides only about its title and
 * path. A scheduled entry gets its page when the schedule publishes it, and not before.
 */
export function isPublished(row: Pick<EntryRow, 'status' | 'unpublish_at'>, now: number): boolean {
  return row.status === 'published' && (row.unpublish_at === null || row.unpublish_at > now)
}

/** True if everybody may read an entry: it is published, and has no password. */
export function isPublic(row: Visibility, now: number): boolean {
  return row.password_hash === null && isPublished(row, now)
}

type Condition = (eb: ExpressionBuilder<Schema, 'entry'>, now: number) => Expression<SqlBool>

/**
 * `isPublished` as a condition of a query, for titles and paths only. No index can serve this form: SQLite takes one entry in ten
 * to be published, and would read all entries by their status rather than a dozen by their paths.
 */
export const publishedOnly: Condition = (eb, now) =>
  eb.and([eb(eb.fn.coalesce('entry.status', eb.val('')), '=', 'published'), notExpired(eb, now)])

/** `isPublic` as a condition of a query, in the form of `publishedOnly`. */
export const publicOnly: Condition = (eb, now) => eb.and([publishedOnly(eb, now), withoutPassword(eb)])

/** `isPublished` as a condition of a query that reads many entries by an index of the status. */
export const publishedByIndex: Condition = (eb, now) => eb.and([eb('entry.status', '=', 'published'), notExpired(eb, now)])

/** `isPublic` as such a condition. */
export const publicByIndex: Condition = (eb, now) => eb.and([publishedByIndex(eb, now), withoutPassword(eb)])

/** The part of `publicOnly` about the password. */
const withoutPassword = (eb: ExpressionBuilder<Schema, 'entry'>): Expression<SqlBool> => eb('entry.password_hash', 'is', null)

/** The part of `publicOnly` about everything but the status. */
export function openNow(eb: ExpressionBuilder<Schema, 'entry'>, now: number): Expression<SqlBool> {
  return eb.and([notExpired(eb, now), withoutPassword(eb)])
}

/** The part of `publicOnly` about `unpublish_at`. Most entries meet it, so it is written in a form that no index can serve. */
function notExpired(eb: ExpressionBuilder<Schema, 'entry'>, now: number): Expression<SqlBool> {
  return eb(eb.fn.coalesce('entry.unpublish_at', eb.val(now + 1)), '>', now)
}

/** True if a caller may see an entry. Everybody sees public entries; callers of tier `read` and higher see all. */
export function maySee(caller: Caller, row: Visibility, now: number): boolean {
  return includesTier(caller.tier, 'read') || isPublic(row, now)
}

/** The address of a path on the web. @param origin without a slash at the end */
export function urlOf(origin: string, path: string): string {
  return origin + path.split('/').map(encodeURIComponent).join('/')
}

/** The revision that visitors see; null if the entry is not published. @param now UTC milliseconds */
export function liveRevisionOf(
  row: Pick<EntryRow, 'status' | 'unpublish_at' | 'revision' | 'live_revision'>,
  now: number,
): number | null {
  return isPublished(row, now) ? (row.live_revision ?? row.revision) : null
}

/** A public entry for anonymous callers. Neither its members nor its revision reveal staged changes. */
export function liveSide<R extends Pick<EntryRow, 'revision' | 'live_revision' | 'staged'>>(row: R): R {
  return row.staged === 0 ? row : { ...row, revision: row.live_revision ?? row.revision, staged: 0, live_revision: null }
}

/** Normalizes a caller's path: one slash before it and none after it. */
export function pathNamed(ref: string): string {
  return `/${trimEndOf(trimStartOf(ref, '/'), '/')}`
}

/** The entry with this id or path. An id that matches exactly wins. */
export async function findEntry(db: Db, ref: string): Promise<EntryRow | undefined> {
  const entries = db.selectFrom('entry').selectAll()
  const byId = ref.startsWith('/') ? undefined : await entries.where('id', '=', ref).executeTakeFirst()
  return byId ?? (await entries.where('path', '=', pathNamed(ref)).executeTakeFirst())
}

/** The entry that had this path before, wherever it is now. */
export async function findFormer(db: Db, ref: string): Promise<EntryRow | undefined> {
  return db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .selectAll('entry')
    .where('former_path.path', '=', pathNamed(ref))
    .executeTakeFirst()
}

/**
 * The entry with this id or path, for callers who may see all entries.
 * @throws Failure `not_found`; for a former path the message has the entry's present path
 */
export async function getEntry(db: Db, ref: string): Promise<EntryRow> {
  const row = await findEntry(db, ref)
  if (row) return row
  const former = await findFormer(db, ref)
  if (!former) throw noEntry(ref)
  const { id, path } = former
  throw noEntry(ref, path === null ? `It is in the trash, with the id ${id}.` : `It has moved to ${path}.`)
}

/** The `not_found` of entries. An entry that the caller may not see fails exactly like one that doesn't exist. */
export function noEntry(ref: string, hint?: string): Failure {
  return notFound('entry', ref, hint ?? (/^https?:/i.test(ref) ? 'This is no address of an entry of this site.' : undefined))
}

// An entry as the site knows it: who may see it, how it is found, and how it is told. Writing is write-entry.ts's, the fast way to
// read entry-cache.ts's.

import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import { type Failure, notFound } from '../failure.ts'
import { type Caller, includesTier } from '../identity/caller.ts'
import type { Db } from '../store/database.ts'
import type { EntryRow, Schema } from '../store/schema.ts'
import { trimEndOf, trimStartOf } from '../trim-text.ts'

export const entryTypes = ['page', 'post'] as const

export const entryStatuses = ['draft', 'scheduled', 'published', 'private', 'trash'] as const
export type EntryStatus = (typeof entryStatuses)[number]

/** What the Markdown, search and answer boxes of the web are told beside the entry itself. */
export interface Seo {
  readonly title: string | null
  readonly description: string | null
  readonly canonical: string | null
  readonly noindex: boolean
}

/** An entry without its long parts, as lists and writes answer it. Dates are ISO 8601 in UTC. */
export interface LeanEntry {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly slug: string
  /** Null in the trash. */
  readonly path: string | null
  readonly url: string | null
  readonly status: string
  readonly published_at: string | null
  readonly unpublish_at: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly revision: number
}

/** All of an entry but its body. `author` and `parent` are ids. */
export interface EntryFacts extends LeanEntry {
  readonly excerpt: string | null
  readonly author: string | null
  readonly parent: string | null
  readonly position: number
  readonly seo: Seo
  readonly locale: string | null
  /** The revision that the public sees; null while it sees none. */
  readonly live_revision: number | null
}

export interface FullEntry extends EntryFacts {
  readonly body: string
}

/** The columns behind `LeanEntry`: a list of these reads no bodies. */
export const leanColumns = [
  ...(['id', 'type', 'title', 'slug', 'path', 'status'] as const),
  ...(['published_at', 'unpublish_at', 'created_at', 'updated_at', 'revision'] as const),
] as const
export type LeanRow = Pick<EntryRow, (typeof leanColumns)[number]>

/** Whether the public site shows it. A scheduled entry becomes public by being published when it is due, not by the clock alone. */
export function isPublic(row: Pick<EntryRow, 'status' | 'unpublish_at'>, now: number): boolean {
  return row.status === 'published' && (row.unpublish_at === null || row.unpublish_at > now)
}

/** The same as a condition of a query. */
export function publicOnly(eb: ExpressionBuilder<Schema, 'entry'>, now: number): Expression<SqlBool> {
  return eb.and([
    eb('entry.status', '=', 'published'),
    eb.or([eb('entry.unpublish_at', 'is', null), eb('entry.unpublish_at', '>', now)]),
  ])
}

/** Whether a caller may see it: everybody what is public, `read` and up all. */
export function maySee(caller: Caller, row: Pick<EntryRow, 'status' | 'unpublish_at'>, now: number): boolean {
  return includesTier(caller.tier, 'read') || isPublic(row, now)
}

/** Where an entry is on the web. @param origin without a slash at the end */
function urlOf(origin: string, path: string): string {
  return origin + path.split('/').map(encodeURIComponent).join('/')
}

const iso = (ms: number): string => new Date(ms).toISOString()
const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms))

/** An entry as lists tell it. @param origin where links lead, without a slash at the end */
export function leanEntry(row: LeanRow, origin: string): LeanEntry {
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    slug: row.slug,
    path: row.path,
    url: row.path === null ? null : urlOf(origin, row.path),
    status: row.status,
    published_at: isoOrNull(row.published_at),
    unpublish_at: isoOrNull(row.unpublish_at),
    created_at: iso(row.created_at),
    updated_at: iso(row.updated_at),
    revision: row.revision,
  }
}

/** What is told of an entry beside its body. @param liveRevision as `liveRevisionOf` has it */
export function entryFacts(row: Omit<EntryRow, 'body'>, origin: string, liveRevision: number | null): EntryFacts {
  return {
    ...leanEntry(row, origin),
    excerpt: row.excerpt,
    author: row.author_id,
    parent: row.parent_id,
    position: row.position,
    seo: parseSeo(row.seo),
    locale: row.locale,
    live_revision: liveRevision,
  }
}

/** An entry as it stands at a moment. */
export function fullEntry(row: EntryRow, origin: string, now: number): FullEntry {
  return { ...entryFacts(row, origin, liveRevisionOf(row, now)), body: row.body }
}

/** The revision that the public sees; null where it sees none. @param now UTC milliseconds */
export function liveRevisionOf(row: Pick<EntryRow, 'status' | 'unpublish_at' | 'revision'>, now: number): number | null {
  return isPublic(row, now) ? row.revision : null
}

/** The column `seo` with all its members. */
export function parseSeo(column: string): Seo {
  return { title: null, description: null, canonical: null, noindex: false, ...(JSON.parse(column) as Partial<Seo>) }
}

/** The path that a name means: with a slash before it, and none after. */
export function pathNamed(ref: string): string {
  return `/${trimEndOf(trimStartOf(ref, '/'), '/')}`
}

/** The entry of an id or a path; an exact id wins. */
export async function findEntry(db: Db, ref: string): Promise<EntryRow | undefined> {
  const entries = db.selectFrom('entry').selectAll()
  const byId = ref.startsWith('/') ? undefined : await entries.where('id', '=', ref).executeTakeFirst()
  return byId ?? (await entries.where('path', '=', pathNamed(ref)).executeTakeFirst())
}

/** The entry that had a path once, wherever it is now. */
export async function findFormer(db: Db, ref: string): Promise<EntryRow | undefined> {
  return db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .selectAll('entry')
    .where('former_path.path', '=', pathNamed(ref))
    .executeTakeFirst()
}

/**
 * The entry of an id or path, for callers who may see all.
 * @throws Failure `not_found`, which tells where a former path's entry is now
 */
export async function getEntry(db: Db, ref: string): Promise<EntryRow> {
  const row = await findEntry(db, ref)
  if (row) return row
  const former = await findFormer(db, ref)
  if (!former) throw noEntry(ref)
  const { id, path } = former
  throw noEntry(ref, path === null ? `It is in the trash, with the id ${id}.` : `It has moved to ${path}.`)
}

/** The one `not_found` of entries: for what isn't there and for what this caller may not see. */
export function noEntry(ref: string, hint?: string): Failure {
  return notFound('entry', ref, hint)
}

// The destinations of links, for writers: an entry of any status, a media file, the archive of a term, or a redirect.
// `link-targets.ts` finds only public entries, for pages.

import { findManyMedia } from '../../media/media-rows.ts'
import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import type { Links } from '../entries/entry-links.ts'
import { findWay } from '../redirects/redirect-ways.ts'
import { isArchivePath, isReservedSlug } from '../entries/reserved-slugs.ts'
import { findTerm } from '../terms/terms.ts'

/** The destination at a path. */
export interface LinkEnd {
  /** The path as the text has it. For another kind of reference, such as an id, the path of the target. */
  readonly path: string | null
  /** Absent if there is nothing at the path. */
  readonly kind?: 'entry' | 'media' | 'term' | 'redirect' | 'site'
  readonly id?: string
  readonly title?: string
  /** The status of an entry, `public` or `trash` of a media file, and the HTTP status at the end of a redirect. */
  readonly status?: string
  /** The present path, if the entry or file has moved from this path. */
  readonly moved_to?: string
  /** The target of a redirect; null for 410. */
  readonly leads_to?: string | null
  readonly missing?: true
}

export interface LinkEnding {
  readonly db: Db
  readonly now: number
  /** True if the site itself has a page at a path without an entry. */
  readonly isServed: (path: string) => Promise<boolean>
}

/** Returns the destinations of the paths, ids and media of a text, by the spelling in the text. */
export async function findLinkEnds(
  ending: LinkEnding,
  { paths, media, entries }: Pick<Links, 'paths' | 'media' | 'entries'>,
): Promise<ReadonlyMap<string, LinkEnd>> {
  const found = new Map(await entryEnds(ending.db, paths, entries))
  for (const [ref, end] of await mediaEnds(ending.db, media)) found.set(ref, end)
  for (const path of paths) if (!found.has(path)) found.set(path, await otherEnd(ending, path))
  for (const id of entries) if (!found.has(id)) found.set(id, { path: null, id, missing: true })
  return new Map([...paths, ...media, ...entries].flatMap((ref) => (found.has(ref) ? [[ref, found.get(ref) as LinkEnd]] : [])))
}

async function entryEnds(db: Db, paths: readonly string[], ids: readonly string[]): Promise<ReadonlyMap<string, LinkEnd>> {
  const found = new Map<string, LinkEnd>()
  if (paths.length === 0 && ids.length === 0) return found
  const columns = ['path', 'id', 'title', 'status'] as const
  const present = await db
    .selectFrom('entry')
    .select(columns)
    .where((eb) => eb.or([eb('path', 'in', jsonTexts(db as never, paths)), eb('id', 'in', jsonTexts(db as never, ids))]))
    .execute()
  const former = await db
    .selectFrom('former_path')
    .innerJoin('entry', 'entry.id', 'former_path.entry_id')
    .select(['former_path.path', 'entry.path as now', 'entry.id', 'entry.title', 'entry.status'])
    .where('former_path.path', 'in', jsonTexts(db as never, paths))
    .execute()
  for (const { now, ...entry } of former) if (now !== null) found.set(entry.path, { kind: 'entry', ...entry, moved_to: now })
  for (const row of present) {
    if (row.path !== null && paths.includes(row.path)) found.set(row.path, { kind: 'entry', ...row })
    if (ids.includes(row.id)) found.set(row.id, { kind: 'entry', ...row })
  }
  return found
}

async function mediaEnds(db: Db, refs: readonly string[]): Promise<ReadonlyMap<string, LinkEnd>> {
  const media = await findManyMedia(db, refs)
  const endOf = (ref: string): LinkEnd => {
    const row = media.get(ref)
    const path = ref.startsWith('/') ? ref : (row?.path ?? null)
    if (!row) return { path, kind: 'media', ...(path === null && { id: ref }), missing: true }
    const moved = row.path === path ? {} : { moved_to: row.path }
    const status = row.deleted_at === null ? 'public' : 'trash'
    return { path, kind: 'media', id: row.id, title: row.filename, status, ...moved }
  }
  return new Map(refs.map((ref) => [ref, endOf(ref)]))
}

async function otherEnd({ db, now, isServed }: LinkEnding, path: string): Promise<LinkEnd> {
  const term = path.split('/').length === 3 ? await findTerm(db, path) : undefined
  if (term) return { path, kind: 'term', id: term.id, title: term.name }
  // The service answers these itself: feeds, files, and archives.
  if (isReservedSlug(path.split('/')[1] ?? '') || isArchivePath(path)) return { path, kind: 'site' }
  const { hops, status } = await findWay(db, path, now, isServed)
  if (hops.length === 0 && status !== 200 && (await isMarkdown({ db, now, isServed }, path))) return { path, kind: 'site' }
  const last = hops.at(-1)
  const [first] = hops
  if (!first || !last) return status === 200 ? { path, kind: 'site' } : { path, missing: true }
  const id = first.redirect === null ? {} : { id: first.redirect }
  return { path, kind: 'redirect', ...id, status: String(status ?? first.status), leads_to: last.to }
}

/** True for the address of a page as Markdown, which is that of the page with `.md`. */
async function isMarkdown({ db, now, isServed }: LinkEnding, path: string): Promise<boolean> {
  if (!path.endsWith('.md')) return false
  const { hops, status } = await findWay(db, path === '/index.md' ? '/' : path.slice(0, -'.md'.length), now, isServed)
  return hops.length === 0 && status === 200
}

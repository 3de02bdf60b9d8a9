// Follows redirects from path to path: rules, former paths of entries, and old addresses of imported things. An entry at a path
// wins over a redirect from that path.

import type { Db } from '../../store/core/database.ts'
import { jsonTexts } from '../../store/core/json-rows.ts'
import { publishedOnly } from '../entries/entry.ts'
import { foldedPath } from './old-paths.ts'
import { findOldFeed } from './old-feeds.ts'
import { findOldPath } from './old-targets.ts'
import { isInternal, leadsOn, maxHops, type RedirectRule, sourcesFor, targetOf } from './redirect-rules.ts'

/** The first of these paths at which there is a public entry. */
export async function findLive(db: Db, paths: readonly string[], now: number) {
  return db
    .selectFrom('entry')
    .select(['id', 'title', 'path'])
    .where('path', 'in', jsonTexts(db as never, paths))
    .where((eb) => publishedOnly(eb, now))
    .limit(1)
    .executeTakeFirst()
}

/** One step of a redirect chain. */
export interface RedirectHop {
  readonly from: string
  /** Null for 410. */
  readonly to: string | null
  readonly status: number
  /** The redirect's id; null for the former path of a moved entry, and the old address of an imported thing. */
  readonly redirect: string | null
}

/**
 * The chain from a path: to a page (200), to another site (null), to a missing page (404), or to a permanently removed one (410).
 */
export interface Way {
  readonly hops: readonly RedirectHop[]
  readonly status: 200 | 404 | 410 | null
}

/**
 * Follows a path from redirect to redirect.
 * @param isServed returns true if the site itself has a page at a path without an entry
 */
export async function findWay(db: Db, path: string, now: number, isServed: (path: string) => Promise<boolean>): Promise<Way> {
  const hops: RedirectHop[] = []
  const passed = new Set<string>()
  const isPage = async (at: string) => (await findLive(db, [at], now)) !== undefined || (await isServed(at))
  for (let at = path; ;) {
    if (await isPage(at)) return { hops, status: 200 }
    const found = passed.has(at) || hops.length >= maxHops ? undefined : await findHopOrFolded(db, at, now, isPage)
    if (!found) return { hops: passed.has(at) ? [] : hops, status: 404 }
    const { isEnd, ...hop } = found
    passed.add(at)
    hops.push(hop)
    if (isEnd) return { hops, status: 200 }
    if (hop.to === null) return { hops, status: 410 }
    if (!leadsOn(hop.to)) return { hops, status: hop.to.startsWith('/') ? 200 : null }
    at = hop.to
  }
}

/** Follows a hop that something else than a path decided. */
export async function findWayAfter(
  db: Db,
  { isEnd, ...hop }: FoundHop,
  now: number,
  isServed: (path: string) => Promise<boolean>,
): Promise<Way> {
  const { to } = hop
  if (to === null) return { hops: [hop], status: 410 }
  if (isEnd || !leadsOn(to)) return { hops: [hop], status: isInternal(to) ? 200 : null }
  const { hops, status } = await findWay(db, to, now, isServed)
  return { hops: [hop, ...hops], status }
}

/** A hop as it is found. One to a path that is known to be public ends the chain. */
interface FoundHop extends RedirectHop {
  readonly isEnd?: boolean
}

/** Finds the hop from a path, else the one from the path in lower case, as other systems compare paths. */
async function findHopOrFolded(
  db: Db,
  path: string,
  now: number,
  isPage: (path: string) => Promise<boolean>,
): Promise<FoundHop | undefined> {
  const found = await findHop(db, path, now)
  const folded = foldedPath(path)
  if (found || folded === path) return found
  if (await isPage(folded)) return { from: path, to: folded, status: 301, redirect: null, isEnd: true }
  const hop = await findHop(db, folded, now)
  return hop && { ...hop, from: path }
}

/**
 * Finds the redirect from exactly this path, else the entry that was there, else the imported thing that had this path elsewhere,
 * else the redirect with the longest path before `/*`, else the feed that other systems have at this path.
 */
async function findHop(db: Db, path: string, now: number): Promise<FoundHop | undefined> {
  const sources = sourcesFor(path)
  const [rows, moved] = await Promise.all([
    db
      .selectFrom('redirect')
      .select(['id', 'source', 'target', 'status'])
      .where('source', 'in', jsonTexts(db as never, sources))
      .execute(),
    db
      .selectFrom('former_path')
      .innerJoin('entry', 'entry.id', 'former_path.entry_id')
      .select('entry.path')
      .where('former_path.path', '=', path)
      .where((eb) => publishedOnly(eb, now))
      .executeTakeFirst(),
  ])
  const rule = sources.flatMap((source) => rows.find((row) => row.source === source) ?? [])[0]
  if (rule?.source === path) return hopBy(rule, path)
  if (moved && moved.path !== null) return { from: path, to: moved.path, status: 301, redirect: null }
  const known = (await findOldPath(db, path, now)) ?? (rule ? undefined : await findOldFeed(db, path, now))
  if (known !== undefined) return { from: path, to: known, status: 301, redirect: null, isEnd: true }
  return rule && hopBy(rule, path)
}

const hopBy = (rule: RedirectRule & { readonly id: string }, path: string): RedirectHop => ({
  from: path,
  to: targetOf(rule, path),
  status: rule.status,
  redirect: rule.id,
})

// The queries of requests: rules whose source has a query, such as `/index.php?page=about`, and the numbers by which WordPress
// names its posts, as in `/?p=123`. A rule applies if the request has all its parameters, in any order. Other parameters are kept.

import type { Db } from '../../store/core/database.ts'
import { type OldKind, hasOldAddresses, oldAddressesAt } from './old-addresses.ts'
import { feedOfQuery } from './old-feeds.ts'
import { publicPathOf } from './old-targets.ts'
import type { RedirectRule } from './redirect-rules.ts'
import type { RedirectHop } from './redirect-ways.ts'

/** A rule with the parameters of its source. */
export interface QueryRule extends RedirectRule {
  readonly id: string
  readonly params: readonly (readonly [name: string, value: string])[]
}

/** The rules by their path. Of two that match, the one with more parameters comes first. */
export type QueryRules = ReadonlyMap<string, readonly QueryRule[]>

/** Reads the rules whose source has a query. */
export async function readQueryRules(db: Db): Promise<QueryRules> {
  const rows = await db
    .selectFrom('redirect')
    .select(['id', 'source', 'target', 'status'])
    .where('source', 'like', '%?%')
    .execute()
  return groupQueryRules(rows)
}

/** Returns the rules whose source has a query, by their path. */
export function groupQueryRules(rules: Iterable<RedirectRule & { readonly id?: string }>): QueryRules {
  const grouped = new Map<string, QueryRule[]>()
  for (const { id = '', source, target, status } of rules) {
    const { path, query } = splitQuery(source)
    if (query === undefined) continue
    const rule = { id, source, target, status, params: [...new URLSearchParams(query)] }
    grouped.set(
      path,
      [...(grouped.get(path) ?? []), rule].sort((a, b) => b.params.length - a.params.length),
    )
  }
  return grouped
}

/** Splits an address of this site into its path and its query, without the fragment. */
export function splitQuery(address: string): { readonly path: string; readonly query: string | undefined } {
  const [bare = ''] = address.split('#', 1)
  const at = bare.indexOf('?')
  return at < 0 ? { path: bare, query: undefined } : { path: bare.slice(0, at), query: bare.slice(at + 1) }
}

/** Finds the rule for a path and a query, and the parameters that are no part of it. */
export function matchQuery(
  rules: QueryRules,
  path: string,
  query: URLSearchParams,
): { readonly rule: QueryRule; readonly left: string } | undefined {
  const rule = rules.get(path)?.find(({ params }) => params.every(([name, value]) => query.has(name, value)))
  if (!rule) return undefined
  const left = new URLSearchParams(query)
  for (const [name, value] of rule.params) left.delete(name, value)
  return { rule, left: left.toString() }
}

/** Returns the target of the rule that applies to a target with a query, with what remains of the query; undefined if none does. */
export function nextByQuery(rules: QueryRules, target: string): string | null | undefined {
  const { path, query } = splitQuery(target)
  const found = query === undefined ? undefined : matchQuery(rules, path, new URLSearchParams(query))
  if (!found) return undefined
  const next = found.rule.target
  return next === null ? null : withQuery(next, found.left)
}

/** Adds a query to an address, after the address's own query. */
export function withQuery(address: string, query: string): string {
  if (query === '') return address
  const [, before = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(address) ?? []
  return `${before}${before.includes('?') ? '&' : '?'}${query}${fragment}`
}

/** The parameters by which WordPress names a thing, and its kind. */
const idParameters: readonly (readonly [name: string, kind: OldKind])[] = [
  ['p', 'item'],
  ['page_id', 'item'],
  ['attachment_id', 'item'],
  ['cat', 'term'],
  ['author', 'author'],
]

/** Parameters that stand beside a number and say nothing on this site. */
const besides = ['post_type', 'preview', 'feed', 'withcomments']

/** A hop that a query decided, and what remains of the query. */
export interface QueryHop extends RedirectHop {
  readonly left: string
  /** True if the target is known to be public. */
  readonly isEnd: boolean
}

/** True if a query may name a thing by its number, or a feed. */
export const mayNameThing = (query: URLSearchParams): boolean =>
  feedOfQuery(query) !== undefined || idParameters.some(([name]) => /^\d{1,18}$/.test(query.get(name) ?? ''))

/** Finds the hop of the rule for a path and a query. */
export function hopOfRule(rules: QueryRules, path: string, query: URLSearchParams): QueryHop | undefined {
  const found = matchQuery(rules, path, query)
  if (!found) return undefined
  const { rule, left } = found
  return { from: rule.source, to: rule.target, status: rule.status, redirect: rule.id, left, isEnd: false }
}

/**
 * Finds the imported thing that a query names by its number, at the home page or at the path of the old site; or the feed of a
 * list, or of the whole site.
 * @param isHome true for a path at which WordPress would answer such a query
 * @returns `unknown` where things of the kind were imported, but none of them with this number is public (attack 89)
 */
export async function hopOfNumber(
  db: Db,
  path: string,
  query: URLSearchParams,
  now: number,
  isHome: boolean,
): Promise<QueryHop | 'unknown' | undefined> {
  const feed = feedOfQuery(query)
  for (const [name, kind] of idParameters) {
    const number = query.get(name) ?? ''
    if (!/^\d{1,18}$/.test(number)) continue
    const rows = (await oldAddressesAt(db, kind, [number.replace(/^0+(?=\d)/, '')])).filter(
      ({ site }) => isHome || pathOfSite(site) === path.replace(/\/index\.php$/, ''),
    )
    const to = await publicPathOf(db, rows, now)
    // An item has no feed but that of its comments, which leads to the item.
    if (to !== undefined) return foundHop(path, query, feed === undefined || kind === 'item' ? to : `${to}/${feed}`)
    if (isHome && (await hasOldAddresses(db, kind))) return 'unknown'
  }
  return feed === undefined || !isHome ? undefined : foundHop(path, query, `${path.replace(/\/(?:index\.php)?$/, '')}/${feed}`)
}

/** A hop to a public path, without the parameters that decided it. */
function foundHop(path: string, query: URLSearchParams, to: string): QueryHop {
  const left = new URLSearchParams(query)
  for (const gone of [...idParameters.map(([one]) => one), ...besides]) left.delete(gone)
  return { from: path, to, status: 301, redirect: null, left: left.toString(), isEnd: true }
}

/** The path of an old site: `/blog` for `https://old.example.org/blog`. */
const pathOfSite = (site: string): string | undefined =>
  URL.canParse(site) ? new URL(site).pathname.replace(/\/$/, '') || undefined : undefined

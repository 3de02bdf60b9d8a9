// Whole addresses of this site where a path is wanted: people copy `https://example.org/about` from their browser.

import { ownHostsOf } from '../../base/config.ts'
import type { Context } from '../call/action.ts'

type Place = Pick<Context, 'site' | 'origin'>

/**
 * Returns the id or path that a caller gives for an entry, also by its whole address. Ids and paths are in lower case, so that
 * another case can mean nothing else.
 */
export const idOrPath = (place: Place, ref: string): string => bare((pathOnSite(place, ref) ?? ref).toLowerCase())

/** Returns a path without query, fragment and ending, which no path of an entry has. An id stays as it is. */
const bare = (ref: string): string =>
  ref.startsWith('/') && /[?#.]/.test(ref) ? ref.replace(/[?#].*$/s, '').replace(/(?<=[^/])\.html?$/, '') : ref

/**
 * Returns the path of an address of this site, below its base path and without query and fragment; undefined for anything else.
 * Only the site's own hosts count, and the one that the caller asked.
 */
export function pathOnSite({ site, origin }: Place, ref: string): string | undefined {
  if (!/^https?:\/\//i.test(ref)) return undefined
  const base = new URL(origin)
  const hosts = [base.host, ...(ownHostsOf(site.config) ?? [])]
  try {
    const { host, pathname } = new URL(ref)
    const prefix = base.pathname.replace(/\/$/, '')
    if (!hosts.some((own) => own.toLowerCase() === host) || !`${pathname}/`.startsWith(`${prefix}/`)) return undefined
    return decodeURIComponent(pathname.slice(prefix.length)) || '/'
  } catch {
    return undefined
  }
}

// The rules of redirects: parses them, matches paths, and finds targets. Pure functions; `redirects.ts` stores the rules.

import { Failure, invalid } from '../../base/failure.ts'
import { cutText } from '../../base/cut-text.ts'
import { trimEndOf } from '../../base/trim-text.ts'
import { isServiceSlug } from '../entries/reserved-slugs.ts'
import { checkUrl, mediaSchemes } from '../markdown/safe-url.ts'

/** A rule. `source` is a path, or a path with a query that a request must have; `target` is a path, a web address, or null for 410. `target` may end with `/*` if `source` does. */
export interface RedirectRule {
  readonly source: string
  readonly target: string | null
  readonly status: number
}

/** The longest path or address, in UTF-16 units and in bytes of UTF-8. PostgreSQL can't index a text of more than 2,704 bytes. */
const maxAddress = { chars: 1000, bytes: 2000 }
/** The most redirects from one path to the last. */
export const maxHops = 10

export const redirectStatuses = [301, 302, 307, 308] as const

// oxlint-disable-next-line no-control-regex
const unprintable = /[\u0000-\u001f\u007f\u2028\u2029]/

/**
 * Normalizes a caller's `from`: the path decoded, without a slash at the end, and the parameters of its query in order.
 * @throws Failure `invalid` for anything but a path with or without a query; `refused` for a path that the service itself serves
 */
export function toSource(from: string, field = 'from'): string {
  const at = from.indexOf('?')
  if (at < 0) return toPath(from, field)
  const query = new URLSearchParams(from.slice(at + 1))
  const wrong = (why: string) => misfit(field, from, why, 'a path with a few parameters, such as `/index.php?page=about`')
  if (from.includes('#')) throw wrong('must have no fragment: browsers do not send it.')
  if (from.includes('*')) throw wrong('may have a `*` or a query, but not both.')
  if (query.size === 0 || query.size > maxParameters) throw wrong(`must have one to ${maxParameters} parameters in its query.`)
  query.sort()
  const path = from.slice(0, at)
  const source = `${/^\/+$/.test(path) ? '/' : toPath(path, field)}?${query}`
  if (isTooLong(source)) throw wrong('is too long.')
  return source
}

/** The most parameters in the query of a source. */
const maxParameters = 10

function toPath(from: string, field: string): string {
  const wrong = (why: string) => misfit(field, from, why, 'a path such as `/old-page`, or `/old/*` for all paths below one')
  const path = decoded(from) ?? from
  const source = path.startsWith('/') ? `/${trimEndOf(path.slice(1), '/')}` : path
  if (!source.startsWith('/')) throw wrong('must be a path that begins with one slash.')
  if (from.includes('#')) throw wrong('must have no fragment: browsers do not send it.')
  if (isTooLong(source) || !from.isWellFormed() || unprintable.test(source))
    throw wrong('is not a path that a visitor can ask for.')
  const segments = source.slice(1).split('/')
  const hasStar = segments.at(-1) === '*'
  if (segments.slice(0, hasStar ? -1 : undefined).some((segment) => segment.includes('*')))
    throw wrong('may have one `*`, at the end after a slash.')
  if (source.includes('\\') || (source !== '/' && segments.some((segment) => /^\.{0,2}$/.test(segment))))
    throw wrong('must not have empty segments, backslashes, `.` or `..`.')
  if (source === '/' || isServiceSlug(segments[0] ?? ''))
    throw new Failure('refused', `The service itself answers at ${source}, so that a redirect from there would never be seen.`, {
      field,
      rule: 'live path',
    })
  return source
}

/**
 * Normalizes a caller's `to`.
 * @throws Failure `invalid` for anything but a path or an `https://` or `http://` address (attack 94)
 */
export function toTarget(to: string | null, source: string, field = 'to'): string | null {
  if (to === null) return null
  const wrong = (why: string) => misfit(field, to, why, 'a path such as `/new-page`, an https:// address, or null for 410')
  if (isTooLong(to) || !to.isWellFormed() || unprintable.test(to) || /[\s\\]/.test(to)) throw wrong('is not an address.')
  if (!isInternal(to) && !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(to))
    throw wrong('must be a path, or begin with https:// or http://.')
  if (!checkUrl(to, mediaSchemes).safe || (isInternal(to) && /^[^?#]*(?:\/\/|\/\.\.?(?:\/|$))/.test(to)))
    throw wrong('is not a safe address.')
  const bare = (isInternal(to) ? (decoded(to) ?? to) : to).replace(/(.)\/$/, '$1')
  if (!to.includes('*')) return isInternal(to) && !/[?#]/.test(to) ? bare : to
  if (!to.endsWith('/*') || to.indexOf('*') !== to.length - 1 || !source.endsWith('/*') || /[?#]/.test(to))
    throw wrong('may have a `*` only at its end, after a slash, and only if `from` ends with `/*` as well.')
  return isInternal(to) ? bare : to
}

/** The failure of an address that can't be used. It says what was given and what would have been right. */
const misfit = (field: string, given: string, why: string, expected: string): Failure =>
  invalid(field, `"${field}" ${why} It is ${JSON.stringify(cutText(given, 80))}; give ${expected}.`, expected)

const isTooLong = (text: string): boolean => text.length > maxAddress.chars || Buffer.byteLength(text) > maxAddress.bytes

/** True if a target is on this site. */
export const isInternal = (target: string): boolean => target.startsWith('/')

/** True if another rule may apply to a target: a path without a query or fragment. */
export const leadsOn = (target: string): boolean => isInternal(target) && !/[?#]/.test(target)

function decoded(path: string): string | undefined {
  try {
    const text = decodeURIComponent(path)
    // Decoding a slash, query or star would change the meaning of the path.
    return /%(?:2f|5c|3f|23|2a|25)/i.test(path) ? undefined : text
  } catch {
    return undefined
  }
}

/** The sources of the rules that could match a path, the most specific first. */
export function sourcesFor(path: string): readonly string[] {
  const sources = [path]
  for (let end = path.lastIndexOf('/'); end >= 0 && sources.length < 50; end = end === 0 ? -1 : path.lastIndexOf('/', end - 1)) {
    const source = `${path.slice(0, end)}/*`
    if (source !== path) sources.push(source)
  }
  return sources
}

/** Returns the destination of a matching path. The text for `*` is appended by segments, so that it can't change the host. */
export function targetOf({ source, target }: RedirectRule, path: string): string | null {
  if (target === null || !target.endsWith('/*')) return target
  const rest = path.slice(source.length - 1)
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
  return target.slice(0, -1) + (isInternal(target) ? segments : segments.map(encodeURIComponent)).join('/')
}

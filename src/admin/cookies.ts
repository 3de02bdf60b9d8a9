// Cookie names and attributes. The values are sealed. Over https, `__Host-` in the name prevents a neighbouring host from setting
// the cookie. A site in a subdirectory sets its path, which only allows `__Secure-`. Over http, cookies have no `Secure`, and pages
// say so.

import type { Request } from '../http/request.ts'

/**
 * `session` holds the id of the session, or of the browser before sign-in. `known` holds the account that last signed in on this
 * browser.
 */
export type CookieKind = 'session' | 'known'

type CookieRequest = Pick<Request, 'scheme' | 'basePath'>

/** `__Host-` is only valid with the path `/`. @see RFC 6265bis §4.1.3 */
function cookieName({ scheme, basePath }: CookieRequest, kind: CookieKind): string {
  const name = kind === 'session' ? 'postern' : 'postern-known'
  if (scheme === 'http') return name
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** A `Set-Cookie` line. Without `maxAgeSeconds` the cookie lasts until the browser is closed. */
export function setCookie(request: CookieRequest, kind: CookieKind, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  const secure = request.scheme === 'https' ? '; Secure' : ''
  return `${cookieName(request, kind)}=${value}; Path=${request.basePath || '/'}; HttpOnly; SameSite=Lax${secure}${age}`
}

const maxCookies = 50

/**
 * Returns all values of a cookie. Another path or host may have set a cookie of the same name, and only the seal shows which one is
 * genuine. The package `cookie` would keep one value per name.
 */
export function cookieValues(request: CookieRequest & Pick<Request, 'header'>, kind: CookieKind): readonly string[] {
  const start = `${cookieName(request, kind)}=`
  const pairs = (request.header('cookie') ?? '').split(';', maxCookies).map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
}

// Cookies by name and form: over https such that no neighbouring host can set them, in a subdirectory for that path alone. What is in
// them is sealed; over http they go without `Secure`, and pages say so.

import type { Request } from '../http/request.ts'

/** `session` holds the session, or before the sign-in the browser; `known` remembers who signed in on this browser before. */
export type CookieKind = 'session' | 'known'

type Asked = Pick<Request, 'scheme' | 'basePath'>

/** `__Host-` only goes with the path `/`. @see RFC 6265bis §4.1.3 */
function cookieName({ scheme, basePath }: Asked, kind: CookieKind): string {
  const name = kind === 'session' ? 'postern' : 'postern-known'
  if (scheme === 'http') return name
  return basePath === '' ? `__Host-${name}` : `__Secure-${name}`
}

/** A `Set-Cookie` line. Without `maxAgeSeconds` the cookie goes when the browser is closed. */
export function setCookie(request: Asked, kind: CookieKind, value: string, maxAgeSeconds?: number): string {
  const age = maxAgeSeconds === undefined ? '' : `; Max-Age=${maxAgeSeconds}`
  const secure = request.scheme === 'https' ? '; Secure' : ''
  return `${cookieName(request, kind)}=${value}; Path=${request.basePath || '/'}; HttpOnly; SameSite=Lax${secure}${age}`
}

const maxCookies = 50

/** All values that came under a cookie's name: another path or a neighbour may have set one too, and only the seal tells. */
export function cookieValues(request: Asked & Pick<Request, 'header'>, kind: CookieKind): readonly string[] {
  const start = `${cookieName(request, kind)}=`
  const pairs = (request.header('cookie') ?? '').split(';', maxCookies).map((pair) => pair.trim())
  return pairs.filter((pair) => pair.startsWith(start)).map((pair) => pair.slice(start.length))
}

// The values of `Origin` that may use `/mcp/`. This guards against DNS rebinding (attacks 19, 82). A request without `Origin`
// does not come from a page in a browser, so it needs no guard.

import { isLoopbackName, parseAuthority } from '../../http/origin.ts'

/** The origins that may call. */
export interface OriginPolicy {
  /** The site's own hosts; undefined if no setting names them. */
  readonly ownHosts: readonly string[] | undefined
  /** Origins that the owner allows; null allows loopback and every `https:` origin. */
  readonly named: readonly string[] | null
}

/** The host of the request. `ownHost` is true if it is certainly a host of this site. */
export interface AskedHost {
  readonly host: string
  readonly ownHost: boolean
}

const originForm = /^(https?):\/\/([^/?#@\\]+)$/

/**
 * True if an `Origin` may call. Allowed are the site's own hosts, and either the origins that the owner named or, if none are
 * named, loopback and every https origin. A host known only from the `Host` header is not an own host, so a page of that host is
 * refused.
 * @see MCP, transports, security warning
 */
export function originAllowed(origin: string | undefined, asked: AskedHost, { ownHosts, named }: OriginPolicy): boolean {
  if (origin === undefined) return true
  const parts = originForm.exec(origin.toLowerCase())
  const host = parts?.[2]
  const authority = host === undefined ? undefined : parseAuthority(host)
  if (host === undefined || !authority) return false
  if (host === asked.host) return asked.ownHost
  if (ownHosts?.some((own) => own === host || own === authority.name)) return true
  if (named) return named.includes(origin)
  return parts?.[1] === 'https' || isLoopbackName(authority.name)
}

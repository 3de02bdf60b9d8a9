// Whether the page that a browser says it acts for may use `/mcp/`: the guard against DNS rebinding (attacks 19, 82).
// No Origin, no browser: whoever can leave it out needs no rebinding.

import { isLoopbackName, parseAuthority } from '../http/origin.ts'

/** What the decision is made from. */
export interface OriginPolicy {
  /** The site's own hosts, where anything says which they are. */
  readonly ownHosts: readonly string[] | undefined
  /** Origins that the owner has named; null for loopback and any `https:`. */
  readonly named: readonly string[] | null
}

/** The request's host, and whether it is surely this site's. */
export interface AskedHost {
  readonly host: string
  readonly ownHost: boolean
}

const originForm = /^(https?):\/\/([^/?#@\\]+)$/

/**
 * Whether an `Origin` may call: that of an own host, of loopback, or any over https; the last two give way to what the owner has named.
 * A host that only a header vouches for isn't an own one, and a page of that very host gets nothing by it.
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

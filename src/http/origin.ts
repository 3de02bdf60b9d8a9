// The client address, scheme and host of a request. They are decided before routing, from the peer, its headers and the policy
// alone.

import { createAddressSet, isLoopback, parseAddress } from './addresses.ts'
import { HttpFailure } from './failure.ts'

/** The hosts and proxies that the site accepts, by its settings and release. */
export interface HostPolicy {
  /** The site's own hosts, including the `www.` variant; undefined if no setting names them. */
  readonly ownHosts: readonly string[] | undefined
  /** Fixes scheme, port and path of every advertised address. */
  readonly baseUrl?: { readonly scheme: 'http' | 'https'; readonly host: string; readonly path: string } | undefined
  /** Addresses, ranges, `loopback`, `unix`. */
  readonly trustedProxies: readonly string[]
  /** Senders whose `X-Forwarded-Proto` counts, if no base address fixes the scheme. */
  readonly forwardedProto: 'ignored' | 'anyone' | 'trusted'
  /** Senders whose `X-Forwarded-For` counts. */
  readonly forwardedFor: 'anyone' | 'trusted'
  /** The address that the server listens on. A direct request may name it. */
  readonly listening: string
}

/** The parts of a request that decide its origin. Header values are as sent. `X-Forwarded-Host` and `Forwarded` are never used. */
export interface OriginFacts {
  /** The peer's address; undefined on a Unix socket. */
  readonly peer: string | undefined
  /** The local address that the peer connected to. */
  readonly local: string | undefined
  /** `Host`, or the authority of an absolute-form target. */
  readonly host: string | undefined
  readonly forwardedFor: string | undefined
  readonly forwardedProto: string | undefined
}

export interface Origin {
  /** The address of the client, which forwarding headers name only if a trusted proxy sent them; `unix` for a Unix socket. */
  readonly client: string
  readonly scheme: 'http' | 'https'
  /**
   * The authority for links, in lower case (`localhost:8080`): the request's host if it is an own host, with the port of the base
   * address; else that of the base address.
   */
  readonly host: string
  /** False only for a host that a trusted proxy forwarded while no setting names the site's own hosts. */
  readonly ownHost: boolean
  /** True if the request came through a trusted proxy, with forwarding headers. */
  readonly forwarded: boolean
}

/** Name in lower case, or address in brackets, and port with its colon, or `''`. */
interface Authority {
  readonly name: string
  readonly port: string
}

const authorityForm = /^([a-z0-9_](?:[a-z0-9._-]*[a-z0-9_.])?|\[[0-9a-f:.]+\])(:\d{1,5})?$/

/** The name and port of an authority; undefined for any other text (attack 3: no path, quote, semicolon or user in it). */
export function parseAuthority(text: string): Authority | undefined {
  const parts = authorityForm.exec(text.toLowerCase())
  const name = parts?.[1]
  if (name === undefined || (name.startsWith('[') && parseAddress(name.slice(1, -1)) === undefined)) return undefined
  return { name, port: parts?.[2] ?? '' }
}

/** Creates a decider for a policy. It throws HttpFailure `malformed` for an invalid host, and `wrong_host` for a foreign host. */
export function createOriginDecider(policy: HostPolicy): (facts: OriginFacts) => Origin {
  const isTrusted = createAddressSet(policy.trustedProxies)
  const own = policy.ownHosts && ownHostTest(policy.ownHosts)
  const mayName = hostRule(policy, own)
  const decide = (facts: OriginFacts): Origin => {
    const authority = facts.host === undefined ? undefined : parseAuthority(facts.host)
    if (!authority) throw new HttpFailure('malformed', 'The request must name one host, as in: Host: example.org')
    const peer = (facts.peer !== undefined && parseAddress(facts.peer)) || 'unix'
    const trusted = isTrusted(peer)
    const forwarded = trusted && (facts.forwardedFor !== undefined || facts.forwardedProto !== undefined)
    const direct = { forwarded, local: facts.local }
    if (!mayName(authority, direct))
      throw new HttpFailure('wrong_host', `This server does not serve the host ${authority.name}${authority.port}.`)
    const scheme = schemeOf(policy, trusted, facts.forwardedProto)
    return {
      client: clientOf(peer, trusted || policy.forwardedFor === 'anyone' ? facts.forwardedFor : undefined, isTrusted),
      scheme,
      host: advertisedHost(policy, authority, own?.(authority) ?? false, scheme),
      ownHost: policy.ownHosts !== undefined || !forwarded || isLoopbackName(authority.name),
      forwarded,
    }
  }
  return remember(decide)
}

/**
 * Caches decisions, because most requests have the same few peers and hosts. Requests with forwarding headers name many clients
 * and are not cached.
 */
function remember(decide: (facts: OriginFacts) => Origin): (facts: OriginFacts) => Origin {
  const known = new Map<string, { readonly facts: OriginFacts; readonly origin: Origin }>()
  return (facts) => {
    if (facts.forwardedFor !== undefined || facts.forwardedProto !== undefined) return decide(facts)
    const key = facts.host ?? ''
    const held = known.get(key)
    if (held && held.facts.peer === facts.peer && held.facts.local === facts.local) return held.origin
    const origin = decide(facts)
    if (known.size >= 256) known.clear()
    known.set(key, { facts, origin })
    return origin
  }
}

type HostRule = (authority: Authority, how: { readonly forwarded: boolean; readonly local: string | undefined }) => boolean

/**
 * The hosts that a request may name: own hosts, and loopback names on a direct request. Without configured hosts, any host that a
 * trusted proxy names (attacks 18, 19).
 */
function hostRule(policy: HostPolicy, own: ((authority: Authority) => boolean) | undefined): HostRule {
  if (own) return (authority, { forwarded }) => own(authority) || (!forwarded && isLoopbackName(authority.name))
  const listening = bracketed(policy.listening.toLowerCase())
  const anywhere = listening === '0.0.0.0' || listening === '[::]' || listening === ''
  return ({ name }, { forwarded, local }) =>
    forwarded ||
    isLoopbackName(name) ||
    name === listening ||
    (anywhere && local !== undefined && name === bracketed(parseAddress(local) ?? local))
}

/** Tests if a host is an own host. An entry without a port matches its name on any port. */
function ownHostTest(ownHosts: readonly string[]): (authority: Authority) => boolean {
  const entries = new Set(ownHosts.map((host) => host.toLowerCase()))
  const bare = (port: string) => port === '' || port === ':443' || port === ':80'
  return ({ name, port }) =>
    entries.has(name) || entries.has(name + port) || (bare(port) && (entries.has(`${name}:443`) || entries.has(`${name}:80`)))
}

const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

/** True for `localhost` and loopback addresses, as a Host header contains them. */
export function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.startsWith('[') ? name.slice(1, -1) : name)
}

function schemeOf(policy: HostPolicy, trusted: boolean, sent: string | undefined): 'http' | 'https' {
  if (policy.baseUrl) return policy.baseUrl.scheme
  const counts = policy.forwardedProto === 'anyone' || (policy.forwardedProto === 'trusted' && trusted)
  return counts && sent !== undefined && sent.trim().toLowerCase() === 'https' ? 'https' : 'http'
}

function advertisedHost({ baseUrl }: HostPolicy, { name, port }: Authority, isOwn: boolean, scheme: 'http' | 'https'): string {
  if (!baseUrl) return port === (scheme === 'https' ? ':443' : ':80') ? name : name + port
  return isOwn ? name + (parseAuthority(baseUrl.host)?.port ?? '') : baseUrl.host
}

/**
 * Walks `X-Forwarded-For` from the right past the trusted proxies. Anyone may have written the entries further left (attack 16).
 */
function clientOf(peer: string, forwardedFor: string | undefined, isTrusted: (address: string) => boolean): string {
  if (forwardedFor === undefined) return peer
  let client = peer
  for (const entry of forwardedFor.split(',').reverse()) {
    const address = parseAddress(withoutPort(entry.trim()))
    if (address === undefined) return peer
    client = address
    if (!isTrusted(address)) return client
  }
  return client
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (entry: string): string =>
  /^\[([^\]]*)\](?::\d{1,5})?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/.exec(entry)?.[1] ?? entry

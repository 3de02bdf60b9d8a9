// Where an app takes a person after the question, and what the person is told of it. It is decided from the host as a browser reads it,
// never from how a text begins: `localhost.evil.example` is a website like any other (attack 142).

/** `device-app`: an app that has registered a scheme of its own, such as `cursor:`, on whatever device the browser runs. */
export type DestinationKind = 'website' | 'own-computer' | 'device-app'

export interface Destination {
  readonly kind: DestinationKind
  /** In ASCII, as browsers send it: `claude.ai`, `xn--mnchen-3ya.example`, `localhost:3118`, `cursor://anysphere.cursor-mcp`. */
  readonly name: string
}

/** The names of loopback that a redirect URI may have. @see RFC 8252 §7.3 */
const ownComputer: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Where an address of a browser leads.
 * @param uri an absolute one, as `redirectUriFault` lets it pass
 */
export function destinationOf(uri: string): Destination {
  const { protocol, hostname, host, port } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:')
    return { kind: 'device-app', name: host === '' ? protocol : `${protocol}//${host}` }
  if (!ownComputer.has(hostname)) return { kind: 'website', name: host }
  return { kind: 'own-computer', name: `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}` }
}

/** The same for the host of a connected app, as `redirectHost` gave it; on the own computer any port is the app's. */
export function destinationOfHost(host: string): Destination {
  if (host.endsWith(':') || host.includes('://')) return { kind: 'device-app', name: host }
  const web = `https://${host}`
  // Where a host is no address by itself, it is no name of the own computer either.
  const kind = URL.canParse(web) && ownComputer.has(new URL(web).hostname) ? 'own-computer' : 'website'
  return { kind, name: host }
}

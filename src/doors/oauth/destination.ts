// The kind of destination of a redirect URI: a website, this computer, or an app on the device. The host decides, as a browser
// parses it, and never the beginning of the text: `localhost.evil.example` is a website like any other (attack 142).

/**
 * The kinds of destinations. `device-app`: an app with a private scheme, such as `cursor:`, on the device where the browser runs.
 */
export type DestinationKind = 'website' | 'own-computer' | 'device-app'

export interface Destination {
  readonly kind: DestinationKind
  /**
   * The name in ASCII, as browsers send it: `claude.ai`, `xn--mnchen-3ya.example`, `localhost:3118`,
   * `cursor://anysphere.cursor-mcp`.
   */
  readonly name: string
}

/** The loopback names that a redirect URI may have. @see RFC 8252 §7.3 */
const ownComputer: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** The destination of a redirect URI. @param uri an absolute URI that `redirectUriFault` accepts */
export function destinationOf(uri: string): Destination {
  const { protocol, hostname, host, port } = new URL(uri)
  if (protocol !== 'https:' && protocol !== 'http:')
    return { kind: 'device-app', name: host === '' ? protocol : `${protocol}//${host}` }
  if (!ownComputer.has(hostname)) return { kind: 'website', name: host }
  return { kind: 'own-computer', name: `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}` }
}

/** The destination of a connected app, by the host that `redirectHost` returned. On this computer the app may use any port. */
export function destinationOfHost(host: string): Destination {
  if (host.endsWith(':') || host.includes('://')) return { kind: 'device-app', name: host }
  const web = `https://${host}`
  // A host that can't be parsed as part of a URL is not a loopback name either.
  const kind = URL.canParse(web) && ownComputer.has(new URL(web).hostname) ? 'own-computer' : 'website'
  return { kind, name: host }
}

// Checks that the parameter `resource` names this site's MCP endpoint, with or without its last slash, on any of the site's own
// hosts. Addresses are compared after the normalisation of RFC 3986 §6.2.2 and §6.2.3.

import type { Services } from '../../actions/call/services.ts'
import { ownHostsOf } from '../../base/config.ts'
import { baseOf, mcpPath } from '../shared/paths.ts'
import { parseAuthority } from '../../http/origin.ts'
import type { Request } from '../../http/request.ts'

export type RequestBase = Pick<Request, 'scheme' | 'host' | 'basePath'>

/** The resource that a client should have named. */
export function expectedResource(request: RequestBase): string {
  return baseOf(request) + mcpPath
}

/** True if a resource is the MCP endpoint of this site. @see RFC 8707 §2 */
export function isOwnResource({ config }: Pick<Services, 'config'>, request: RequestBase, resource: string): boolean {
  const named = normalForm(resource)
  if (named === undefined) return false
  const port = config.POSTERN_BASE_URL ? (parseAuthority(config.POSTERN_BASE_URL.host)?.port ?? '') : ''
  const own = (ownHostsOf(config) ?? []).map((host) => (parseAuthority(host)?.port ? host : host + port))
  return [request.host, ...own].some((host) => normalForm(expectedResource({ ...request, host })) === named)
}

const maxLength = 2000
const uriForm = /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/?#@\\]+(?:\/[^?#\\]*)?$/

/**
 * An address with scheme and host in lower case, without default port, needless escapes, dot segments or last slash; undefined
 * for other text.
 */
function normalForm(text: string): string | undefined {
  // eslint-disable-next-line no-control-regex
  if (text.length > maxLength || /[^\x21-\x7e]/.test(text) || !uriForm.test(text) || !URL.canParse(text)) return undefined
  const { origin, pathname } = new URL(unescapeUnreserved(text))
  return origin + pathname.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase()).replace(/\/$/, '')
}

const unescapeUnreserved = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (escape, hex: string) => {
    const character = String.fromCharCode(Number.parseInt(hex, 16))
    return /[A-Za-z0-9\-._~]/.test(character) ? character : escape
  })

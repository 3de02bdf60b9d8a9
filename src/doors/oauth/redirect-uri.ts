// Redirect URIs: those that can be registered, and those that a request may name. The raw text is checked, because URL parsers
// repair and drop characters (attacks 25 to 28, 36).

const maxLength = 2000

/** Printable ASCII without characters that end a header, a policy or an attribute, or that parsers interpret differently. */
const plainText = /^[A-Za-z0-9\-._~:/?[\]@!$&'()+,;=%]+$/
const badEscape = /%(?![0-9A-Fa-f]{2})|%(?:[01][0-9A-Fa-f]|7[Ff])/
const shape = /^([a-z][a-z0-9+.-]*):(\/\/([^/?]*))?([^?]*)(?:\?(.*))?$/s
const hostForm = /^(?:[a-z0-9_](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/
const privateHostForm = /^[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?(?::\d{1,5})?$/
const loopbackForm = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?(?=$|[/?])/

/** Schemes that run, read or open something on the person's machine, or that don't lead to a client. */
const refusedSchemes = new Set([
  'about', 'blob', 'chrome', 'chrome-extension', 'content', 'cid', 'data', 'file', 'filesystem', 'ftp', 'gopher', 'intent', 'jar',
  'javascript', 'livescript', 'mailto', 'mhtml', 'mid', 'moz-extension', 'ms-its', 'ms-msdt', 'ms-officecmd', 'mocha', 'resource',
  'search', 'search-ms', 'shell', 'sms', 'ssh', 'tel', 'telnet', 'urn', 'vbscript', 'view-source', 'ws', 'wss',
]) // prettier-ignore

/** Parameters that the answer adds. If the URI already had them, a client could read the wrong one. */
const answerParameters = new Set(['code', 'state', 'iss', 'error', 'error_description', 'error_uri', 'response'])

/** The reason why a URI can't be registered, as a sentence; undefined if it can. @see RFC 6749 §3.1.2, RFC 8252 §7 */
export function redirectUriFault(text: string): string | undefined {
  if (text.length > maxLength) return `A redirect URI may have at most ${maxLength} characters.`
  if (text.includes('#')) return 'A redirect URI must have no fragment.'
  if (!plainText.test(text) || badEscape.test(text)) return 'A redirect URI must be a plain absolute URI in ASCII.'
  const parts = shape.exec(text)
  if (!parts) return 'A redirect URI must be absolute, with its scheme in lower case.'
  const [, scheme = '', slashes, authority = '', path = '', query = ''] = parts
  if (authority.includes('@')) return 'A redirect URI must name no user.'
  if (refusedSchemes.has(scheme)) return `A redirect URI may not have the scheme ${scheme}.`
  if (!isNormal(text, path)) return 'A redirect URI must be written in its normal form.'
  const preset = [...new URLSearchParams(`?${query}`).keys()].find((name) => answerParameters.has(name.toLowerCase()))
  if (preset !== undefined) return `A redirect URI may not bring the parameter ${preset} itself.`
  if (scheme === 'https') return hostForm.test(authority) ? undefined : 'A redirect URI must name a plain host.'
  if (scheme === 'http')
    return loopbackForm.test(text) ? undefined : 'A redirect URI over http must be on localhost, 127.0.0.1 or [::1].'
  return privateUseFault(scheme, slashes !== undefined, authority)
}

/** Private-use schemes: `cursor://host/path`, or a reversed domain, `org.example.app:/path` (RFC 8252 §7.1). */
function privateUseFault(scheme: string, hasAuthority: boolean, authority: string): string | undefined {
  if (hasAuthority ? privateHostForm.test(authority) : scheme.includes('.')) return undefined
  return 'A redirect URI must be https, http on loopback, or of a scheme of its own such as app://host/path.'
}

/** True if a URL parser leaves the text unchanged, except for the slash that a bare host lacks. */
function isNormal(text: string, path: string): boolean {
  if (!URL.canParse(text)) return false
  const { href } = new URL(text)
  return href === text || (path === '' && href === text.replace(/^([^?]*)/, '$1/'))
}

/**
 * True if the client registered a redirect URI. The comparison is exact, except that a loopback address may use any port.
 * @see RFC 8252 §7.3, RFC 6749 §3.1.2.3
 */
export function redirectUriAllowed(registered: readonly string[], asked: string): boolean {
  if (registered.includes(asked)) return true
  const wanted = withoutLoopbackPort(asked)
  return (
    wanted !== undefined && redirectUriFault(asked) === undefined && registered.some((one) => withoutLoopbackPort(one) === wanted)
  )
}

function withoutLoopbackPort(text: string): string | undefined {
  const [whole, host] = loopbackForm.exec(text) ?? []
  return whole === undefined ? undefined : `http://${host}${text.slice(whole.length)}`
}

/** The destination of a URI, as the owner reads it: its host, or a private scheme with the name after it. */
export function redirectHost(uri: string): string {
  const [, scheme = '', , authority = ''] = shape.exec(uri) ?? []
  if (scheme === 'http') return loopbackForm.exec(uri)?.[1] ?? authority
  if (scheme === 'https') return authority
  return authority === '' ? `${scheme}:` : `${scheme}://${authority}`
}

/** The URI with parameters added to its query. @see RFC 6749 §4.1.2 */
export function redirectWith(uri: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined)
  const joint = uri.includes('?') ? (/[?&]$/.test(uri) ? '' : '&') : '?'
  return `${uri}${joint}${new URLSearchParams(given).toString()}`
}

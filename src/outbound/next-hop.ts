// The next request after a redirect. Possible secrets are never sent to another origin.

/** One request of a chain of redirects. */
export interface Hop {
  readonly url: URL
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string | undefined
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Headers that may go to another origin. Any other header could contain a key, so it is dropped (attack 117). */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-encoding', 'accept-language', 'user-agent'])

const describesBody: ReadonlySet<string> = new Set(['content-type', 'content-encoding', 'content-language'])

/**
 * Returns the next request after a redirect; undefined if the answer is not a redirect.
 * @throws Error if `Location` is not an address, or if a body would go to another origin
 * @see RFC 9110 §15.4
 */
export function nextHop(hop: Hop, status: number, location: string | readonly string[] | undefined): Hop | undefined {
  if (!redirects.has(status) || location === undefined) return undefined
  if (typeof location !== 'string' || !URL.canParse(location, hop.url.href)) throw new Error('a redirect to no address')
  const url = new URL(location, hop.url)
  const becomesGet = status === 303 ? hop.method !== 'HEAD' : status < 303 && hop.method === 'POST'
  const body = becomesGet ? undefined : hop.body
  const foreign = url.origin !== hop.url.origin
  if (foreign && body !== undefined) throw new Error('a redirect of a body to another origin')
  const headers = Object.entries(hop.headers).filter(
    ([name]) => (!foreign || harmless.has(name)) && (body !== undefined || !describesBody.has(name)),
  )
  return { url, method: becomesGet ? 'GET' : hop.method, headers: Object.fromEntries(headers), body }
}

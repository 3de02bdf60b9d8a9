// The credential of a request to `/mcp/` or `/api/`: its bearer token and nothing else. Cookies, the query string and other
// schemes don't count (attacks 70, 73). Each door decides how to answer a missing token.

import type { IdentityServices } from '../../actions/call/services.ts'
import type { Request } from '../../http/request.ts'
import type { Caller, Door } from '../../identity/caller.ts'

export interface Credential {
  readonly caller: Caller | undefined
  /** True if there was a bearer token, usable or not. A challenge distinguishes the two (RFC 6750 §3.1). */
  readonly presented: boolean
}

const nothing: Credential = Object.freeze({ caller: undefined, presented: false })
const useless: Credential = Object.freeze({ caller: undefined, presented: true })

const bearer = /^bearer(?: (.*))?$/is

/** The bearer token of an `Authorization` header; undefined for `Basic` or any other scheme. @see RFC 6750 §2.1 */
export function bearerOf(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]?.trim()
  return token === '' ? undefined : token
}

/** Returns the credential of a request. If the token is cached, the result is not a promise. */
export function credentialOf(
  { tokens }: IdentityServices,
  request: Pick<Request, 'header' | 'client'>,
  door: Door,
): Credential | Promise<Credential> {
  const secret = bearerOf(request.header('authorization'))
  if (secret === undefined) return nothing
  const caller = tokens.authenticate(secret, door, request.client)
  return caller instanceof Promise ? caller.then(presented) : presented(caller)
}

const presented = (caller: Caller | undefined): Credential => (caller ? { caller, presented: true } : useless)

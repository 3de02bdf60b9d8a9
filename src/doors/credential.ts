// Who a request to `/mcp/` or `/api/` comes from: its bearer token and nothing else. Cookies, the query and other schemes don't count
// (attacks 70, 73). What a missing token means is the door's.

import type { Services } from '../actions/services.ts'
import type { Request } from '../http/request.ts'
import type { Caller, Door } from '../identity/caller.ts'

/** What a request showed of itself. */
export interface Credential {
  /** The caller of a usable token. */
  readonly caller: Caller | undefined
  /** Whether a bearer token came at all: a challenge tells the two apart (RFC 6750 §3.1). */
  readonly presented: boolean
}

const nothing: Credential = Object.freeze({ caller: undefined, presented: false })
const useless: Credential = Object.freeze({ caller: undefined, presented: true })

const bearer = /^bearer(?: (.*))?$/is

/**
 * The bearer token of a request; undefined when there is none, as under `Basic` or any other scheme.
 * @see RFC 6750 §2.1
 */
export function bearerOf(authorization: string | undefined): string | undefined {
  const token = authorization === undefined ? undefined : bearer.exec(authorization)?.[1]?.trim()
  return token === '' ? undefined : token
}

/** The credential of a request: at once where its token was asked about before. */
export function credentialOf(
  { tokens }: Services,
  request: Pick<Request, 'header' | 'client'>,
  door: Door,
): Credential | Promise<Credential> {
  const secret = bearerOf(request.header('authorization'))
  if (secret === undefined) return nothing
  const caller = tokens.authenticate(secret, door, request.client)
  return caller instanceof Promise ? caller.then(presented) : presented(caller)
}

const presented = (caller: Caller | undefined): Credential => (caller ? { caller, presented: true } : useless)

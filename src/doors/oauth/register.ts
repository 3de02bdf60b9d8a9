// Dynamic client registration. The registration becomes part of the client id. Nothing is stored or fetched. @see RFC 7591

import type { IdentityServices, ProgramServices } from '../../actions/call/services.ts'
import { openHeaders } from '../shared/cors.ts'
import { decodeUtf8, parseJsonText } from '../../http/body.ts'
import { json } from '../../http/reply.ts'
import type { Handler } from '../../http/route.ts'
import { isObject, type JsonObject } from '../../base/json.ts'
import { type Client, makeClientId, maxClientIdBytes } from './client-id.ts'
import type { AddressRate } from './address-rate.ts'
import { redirectUriFault } from './redirect-uri.ts'
import { Refusal, refusalReply } from './refusal.ts'

const maxBytes = 32 * 1024
const maxDepth = 8
const maxRedirectUris = 16
const maxNameLength = 200

export function createRegister(site: IdentityServices & ProgramServices, rate: AddressRate): Handler {
  const { key, clock } = site
  return async (request) => {
    rate.check(request.client)
    const metadata = parseBody(await request.readBody(maxBytes))
    const issuedAt = Math.floor(clock.now() / 1000)
    const client = metadata instanceof Refusal ? metadata : readClient(metadata, issuedAt)
    if (client instanceof Refusal) return refusalReply(client)
    const id = makeClientId(key, client)
    return id.length > maxClientIdBytes ? refusalReply(tooLong) : json(201, registered(id, client), openHeaders)
  }
}

const tooLong = new Refusal(
  'invalid_client_metadata',
  `The client_id would be longer than ${maxClientIdBytes} bytes: send a shorter client_name, or fewer or shorter redirect_uris.`,
)

/**
 * The registration as the client gets it. Members without an effect are left out, so that the client notices. @see RFC 7591
 * §3.2.1
 */
function registered(id: string, { redirectUris, name, refreshes, issuedAt }: Client): JsonObject {
  return {
    client_id: id,
    client_id_issued_at: issuedAt,
    ...(name === '' ? {} : { client_name: name }),
    redirect_uris: redirectUris,
    grant_types: refreshes ? ['authorization_code', 'refresh_token'] : ['authorization_code'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

function parseBody(bytes: Uint8Array): JsonObject | Refusal {
  const decoded = decodeUtf8(bytes, 'strict')
  const parsed = 'text' in decoded ? parseJsonText(decoded.text, maxDepth) : undefined
  return parsed && 'value' in parsed && isObject(parsed.value)
    ? parsed.value
    : new Refusal('invalid_client_metadata', 'The body must be one JSON object.')
}

function readClient(metadata: JsonObject, issuedAt: number): Client | Refusal {
  const { redirect_uris: uris, client_name: name = '', grant_types: grants, response_types: responses } = metadata
  const redirectUris = readRedirectUris(uris)
  if (redirectUris instanceof Refusal) return redirectUris
  if (typeof name !== 'string' || name.length > maxNameLength) {
    return new Refusal('invalid_client_metadata', `client_name must be a text of at most ${maxNameLength} characters.`)
  }
  const grantTypes = readList(grants, 'authorization_code')
  if (!grantTypes?.includes('authorization_code')) {
    return new Refusal('invalid_client_metadata', 'grant_types must be a list with authorization_code in it.')
  }
  if (!readList(responses, 'code')?.includes('code')) {
    return new Refusal('invalid_client_metadata', 'response_types must be a list with code in it.')
  }
  return { redirectUris, name: plainName(name), refreshes: grantTypes.includes('refresh_token'), issuedAt }
}

function readRedirectUris(given: unknown): readonly string[] | Refusal {
  const isList = Array.isArray(given) && given.length > 0 && given.length <= maxRedirectUris
  if (!isList || !given.every((uri) => typeof uri === 'string')) {
    return new Refusal('invalid_redirect_uri', `redirect_uris must be a list of 1 to ${maxRedirectUris} URIs.`)
  }
  const fault = given.map(redirectUriFault).find((sentence) => sentence !== undefined)
  return fault === undefined ? [...new Set(given)] : new Refusal('invalid_redirect_uri', fault)
}

/** A list of texts; `[usual]` if it is absent; undefined for anything else. */
function readList(given: unknown, usual: string): readonly string[] | undefined {
  if (given === undefined || given === null) return [usual]
  return Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : undefined
}

/** A name on one line, without invisible and direction characters (attack 29). The name is the client's own claim. */
function plainName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
}

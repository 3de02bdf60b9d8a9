// Checks an authorization request by its query alone. The order of the checks ensures that no browser is redirected to an
// unregistered address. Nothing is stored or issued here; authorize-answer.ts shows the pages.

import type { Services } from '../../actions/call/services.ts'
import { baseOf } from '../shared/paths.ts'
import type { Request } from '../../http/request.ts'
import { type Scope, scopes } from '../../identity/caller.ts'
import { type Client, parseClientId } from './client-id.ts'
import { type Parameters, parseParameters } from './read-form.ts'
import { redirectHost, redirectUriAllowed } from './redirect-uri.ts'
import { Refusal } from './refusal.ts'
import { isOwnResource } from './resource.ts'

/** A valid request, which the owner is asked about. It is plain JSON, so that it can be sealed into a cookie or a form. */
export interface AuthorizeRequest {
  readonly clientId: string
  /** The client's name for itself; `redirectHost` if it has none. */
  readonly clientName: string
  readonly redirectUri: string
  /** The host that identifies a connected app: `claude.ai`, `localhost`, `cursor://anysphere.cursor-mcp`. */
  readonly redirectHost: string
  readonly state: string | undefined
  readonly codeChallenge: string
  readonly resource: string
  /** The highest scope that the client named; `admin` if it named none. */
  readonly scope: Scope
  readonly scopeNamed: boolean
  /** True if the client registered for refresh tokens. */
  readonly wantsRefresh: boolean
  /** The issuer for the host of this request: `iss` in every answer. */
  readonly issuer: string
}

/** The pages that refuse a request without redirecting the browser. */
export type RefusalPage = 'unknown-client' | 'invalid-redirect' | 'invalid-request' | 'invalid-resource'

/** An error to return to the client. @see RFC 6749 §4.1.2.1 */
export interface RedirectError {
  readonly error: 'invalid_request' | 'unsupported_response_type'
  readonly description: string
  readonly redirectUri: string
  readonly state: string | undefined
  readonly issuer: string
}

export type AuthorizeDecision =
  | { readonly ok: AuthorizeRequest }
  | { readonly page: RefusalPage; readonly received?: string }
  | { readonly redirectError: RedirectError }

type RequestParts = Pick<Request, 'query' | 'scheme' | 'host' | 'basePath'>
type Site = Pick<Services, 'config' | 'key' | 'release'>

/** Checks a request. Until the redirect URI is known to belong to the client, every fault is a page. */
export function parseAuthorizeRequest(site: Site, request: RequestParts): AuthorizeDecision {
  const { query } = request
  const clientId = query.getAll('client_id').length === 1 ? (query.get('client_id') ?? '') : ''
  const client = parseClientId(site.key, clientId)
  if (!client) return { page: 'unknown-client' }
  const parameters = parseParameters(query)
  if (parameters instanceof Refusal) return { page: 'invalid-request', received: parameters.description }
  const redirectUri = parameters.find('redirect_uri')
  if (redirectUri === undefined || !redirectUriAllowed(client.redirectUris, redirectUri)) {
    return { page: 'invalid-redirect', received: redirectUri ?? '' }
  }
  const resources = parameters.all('resource')
  const foreign = resources.find((resource) => !isOwnResource(site, request, resource))
  if (resources.length === 0 || foreign !== undefined) return { page: 'invalid-resource', received: foreign ?? '' }
  const issuer = baseOf(request)
  const state = parameters.find('state')
  const fault = redirectFaults.find(({ holds }) => !holds(parameters, site))
  if (fault) {
    const { error, description } = fault
    return { redirectError: { error, description, redirectUri, state, issuer } }
  }
  return { ok: { ...toRequest(client, redirectUri, parameters), clientId, state, issuer } }
}

/** The conditions for a request of a known client, in the order of the checks, each with the error if it does not hold. */
const redirectFaults: readonly {
  readonly error: RedirectError['error']
  readonly description: string
  readonly holds: (parameters: Parameters, site: Site) => boolean
}[] = [
  {
    error: 'invalid_request',
    description: 'response_type is missing: it must be code.',
    holds: ({ find }) => find('response_type') !== undefined,
  },
  {
    error: 'unsupported_response_type',
    description: 'response_type must be code.',
    holds: ({ find }) => find('response_type') === 'code',
  },
  {
    error: 'invalid_request',
    description: 'code_challenge is missing or is no S256 challenge of 43 characters.',
    holds: ({ find }) => /^[A-Za-z0-9_-]{43}$/.test(find('code_challenge') ?? ''),
  },
  {
    error: 'invalid_request',
    description: 'code_challenge_method must be S256.',
    holds: ({ find }) => find('code_challenge_method') === 'S256',
  },
  {
    error: 'invalid_request',
    description: 'state is missing.',
    holds: ({ find }, { release }) => !release.stateRequired || find('state') !== undefined,
  },
]

function toRequest(
  client: Client,
  redirectUri: string,
  { find, all }: Parameters,
): Omit<AuthorizeRequest, 'clientId' | 'state' | 'issuer'> {
  const host = redirectHost(redirectUri)
  const named = highestScope(find('scope'))
  return {
    clientName: client.name === '' ? host : client.name,
    redirectUri,
    redirectHost: host,
    codeChallenge: find('code_challenge') ?? '',
    resource: all('resource')[0] ?? '',
    scope: named ?? 'admin',
    scopeNamed: named !== undefined,
    wantsRefresh: client.refreshes,
  }
}

/** The highest scope in a list separated by spaces; undefined if the list has no scope of this site. */
export function highestScope(list: string | undefined): Scope | undefined {
  const named = (list ?? '').split(' ')
  return scopes.findLast((scope) => named.includes(scope))
}

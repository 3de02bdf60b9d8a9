// The content of the discovery documents, as plain values. discovery.ts serves them.

import type { JsonObject } from '../../base/json.ts'
import { apiPath, mcpPath } from '../shared/paths.ts'
import { href } from '../../http/route.ts'
import { scopes } from '../../identity/caller.ts'
import type { Release } from '../../base/release.ts'
import { oauthPaths } from './paths.ts'

/** The members of a document. `base` is also the issuer: origin and slug, without a slash at the end. */
/**
 * The protected resource, in the form of the address that the client used: clients refuse a document that names another form.
 * @param path of the endpoint: `/mcp/`, or `/mcp`
 * @see RFC 9728 §2, §3.3
 */
export function protectedResource(base: string, path: string): JsonObject {
  return {
    resource: base + path,
    authorization_servers: [base],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
  }
}

/**
 * The authorization server. `client_id_metadata_document_supported` is left out on purpose: clients that find it don't register.
 * @see RFC 8414 §2, RFC 9207 §3
 */
export function authorizationServer(base: string, release: Release): JsonObject {
  return {
    issuer: base,
    authorization_endpoint: href(oauthPaths.authorize, base),
    token_endpoint: href(oauthPaths.token, base),
    ...(release.registration ? { registration_endpoint: href(oauthPaths.register, base) } : {}),
    revocation_endpoint: href(oauthPaths.revoke, base),
    scopes_supported: scopes,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  }
}

/** The authorization server as an OpenID configuration, with the members that clients require. @see OpenID Connect Discovery §3 */
export function openidConfiguration(base: string, release: Release): JsonObject {
  return {
    ...authorizationServer(base, release),
    jwks_uri: href(oauthPaths.jwks, base),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
}

/** Links to the two endpoints of the site. @see RFC 9727 §4, RFC 9264 §4.2 */
export function apiCatalog(base: string): JsonObject {
  const metadata = (route: { readonly path: string }) => ({ href: href(route, base), type: 'application/json' })
  return {
    linkset: [
      { anchor: href(oauthPaths.apiCatalog, base), item: [{ href: base + mcpPath }, { href: base + apiPath }] },
      { anchor: base + mcpPath, 'service-meta': [metadata(oauthPaths.protectedResource)] },
      { anchor: base + apiPath, 'service-meta': [metadata(oauthPaths.authorizationServer)] },
    ],
  }
}

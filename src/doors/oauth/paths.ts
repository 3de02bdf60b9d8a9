// The paths of the OAuth endpoints and documents. Discovery documents and routes are made from these rows, so they cannot differ.

import { protectedResourcePath } from '../shared/paths.ts'

/** Paths below the base path. */
export const oauthPaths = {
  protectedResource: { path: protectedResourcePath },
  authorizationServer: { path: '/.well-known/oauth-authorization-server' },
  openidConfiguration: { path: '/.well-known/openid-configuration' },
  apiCatalog: { path: '/.well-known/api-catalog' },
  authorize: { path: '/oauth/authorize' },
  token: { path: '/oauth/token' },
  register: { path: '/oauth/register' },
  revoke: { path: '/oauth/revoke' },
  jwks: { path: '/oauth/jwks' },
} as const

// All doors onto the registry, as one list of routes, and for each the form in which it says no.

import type { Services } from './actions/services.ts'
import type { FailureContext } from './http/server.ts'
import type { HttpFailure } from './http/failure.ts'
import type { Reply } from './http/reply.ts'
import type { Handler, Route } from './http/route.ts'
import { mcpHttpFailure } from './mcp/failure.ts'
import { mcpRoutes } from './mcp/routes.ts'
import { discoveryRoutes } from './oauth/discovery.ts'
import { restHttpFailure } from './rest/failure.ts'
import { restRoutes } from './rest/routes.ts'
import { siteFallback, siteHttpFailure, siteRoutes } from './site/routes.ts'

/** The routes of every door; the fallback is the public site. */
export function doorRoutes(site: Services): { routes: readonly Route[]; fallback: Handler } {
  return {
    routes: [...mcpRoutes(site), ...restRoutes(site), ...discoveryRoutes(site), ...siteRoutes(site)],
    fallback: siteFallback(site),
  }
}

// The routes of all doors as one router, and the format in which each door answers a failure.

import { adminFailure, adminRoutes, createAskOwner } from '../admin/routes.ts'
import type { IdentityServices, Services } from '../actions/call/services.ts'
import { basePathOf } from '../base/config.ts'
import { markHeader, markOf } from '../doctor/mark.ts'
import { Failure } from '../base/failure.ts'
import { orDiskFull } from '../base/unwritable.ts'
import { freshFirst } from './fresh-router.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Reply } from '../http/reply.ts'
import { createRouter, type Router } from '../http/router.ts'
import type { FailureAbout } from '../http/server.ts'
import { discoveryFailure, discoveryRoutes } from '../doors/oauth/discovery.ts'
import { oauthRoutes } from '../doors/oauth/endpoints.ts'
import { oauthFailure } from '../doors/oauth/failure.ts'
import { anonymous } from '../identity/caller.ts'
import { mcpFailure, mcpRoutes } from '../doors/mcp/routes.ts'
import { restFailure, restRoutes } from '../doors/rest/routes.ts'
import { type Soon, whenThere } from '../base/soon.ts'
import { createPages, siteFailure, siteFallback, siteRoutes, suspiciousPath } from '../site/routes.ts'

/** The routes of every door. Paths without a route belong to the public site. */
export function doorRouter(site: Services): Router {
  const pages = createPages(site)
  const routes = [
    ...mcpRoutes(site),
    ...restRoutes(site),
    ...discoveryRoutes(site),
    ...oauthRoutes(site, createAskOwner(site)),
    ...adminRoutes(site),
    ...siteRoutes(site, pages),
  ]
  return freshFirst(site, createRouter(routes, siteFallback(site, pages), { suspicious: suspiciousPath() }))
}

type DoorFailure = (site: Services, failure: HttpFailure, about: FailureAbout) => Soon<Reply>

const failureForms: Readonly<Record<string, DoorFailure>> = {
  mcp: (_site, failure) => mcpFailure(failure),
  api: (_site, failure) => restFailure(failure),
  discovery: (_site, failure) => discoveryFailure(failure),
  oauth: (_site, failure, about) => oauthFailure(failure, about),
  admin: (site, failure, { request, kind }) => adminFailure(site, failure, request, kind),
}

/** The door of a raw path without a matching route, because the request was not parsed or the path is suspicious. */
const doorsByPath: readonly (readonly [pattern: RegExp, door: string])[] = [
  [/^\/mcp\/?(?:\?|$)/i, 'mcp'],
  [/^\/api(?:\/|\?|$)/i, 'api'],
  [/^\/\.well-known(?:\/|\?|$)/i, 'discovery'],
  // The consent form belongs to the admin.
  [/^\/oauth\/consent(?:\/|\?|$)/i, 'admin'],
  [/^\/oauth(?:\/|\?|$)/i, 'oauth'],
  [/^\/admin(?:\/|\?|$)/i, 'admin'],
]

/**
 * Answers each failure in the format of its door, with the mark that identifies answers of Postern. An unavailable database is a
 * 503 at every door. Any other error is a fault of the server: it is logged, and the answer has the reference of the log line.
 */
export function doorFailure(site: Services): (failure: HttpFailure | Error, about: FailureAbout) => Soon<Reply> {
  const mark = markOf(basePathOf(site.config))
  return (error, about) => {
    const unmatched = about.door === undefined || about.request?.suspicious === true
    const path = about.request?.rawPath ?? about.path ?? ''
    const door = unmatched ? (doorsByPath.find(([pattern]) => pattern.test(path))?.[1] ?? 'site') : about.door
    const failure =
      error instanceof HttpFailure ? limitMissing(site, error, about) : (unavailableFor(error, about) ?? serverFault(about))
    const marked = (reply: Reply): Reply => ({ ...reply, headers: { ...reply.headers, [markHeader]: mark } })
    return whenThere((failureForms[door ?? 'site'] ?? asPage)(site, failure, about), marked)
  }
}

/**
 * Counts a request for a missing path against the anonymous limit of the address, so that a scan of paths ends in 429 (attack
 * 132).
 */
function limitMissing(site: IdentityServices, failure: HttpFailure, { request }: FailureAbout): HttpFailure {
  if (failure.code !== 'not_found' || request === undefined) return failure
  const { allowed, limit, resetSeconds } = site.rate.takeCall(anonymous('api', request.client))
  if (allowed) return failure
  const sentence = `More than ${limit} requests in a minute for missing pages. Try again in ${resetSeconds} seconds.`
  return new HttpFailure('rate_limited', sentence, undefined, { retryAfterSeconds: resetSeconds })
}

const asPage: DoorFailure = (site, failure, { request }) => siteFailure(site, failure, request)

function unavailableFor(thrown: Error, { reference = '-' }: FailureAbout): HttpFailure | undefined {
  const error = orDiskFull(thrown)
  if (!(error instanceof Failure) || error.code !== 'unavailable') return undefined
  const retryAfterSeconds = error.detail.retry_after
  return new HttpFailure('unavailable', error.message, undefined, { reference, retryAfterSeconds, cause: error })
}

function serverFault({ reference = '-' }: FailureAbout): HttpFailure {
  return new HttpFailure('failed', `Something went wrong on the server; the log has it as ${reference}.`, undefined, {
    reference,
  })
}

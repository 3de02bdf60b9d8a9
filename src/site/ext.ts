// `/ext/ID/…`: pages of plugins. A plugin neither gets nor sets cookies or tokens. Its pages run no scripts, and have another
// origin than the site.

import type { IdentityServices, ProgramServices, Services } from '../actions/call/services.ts'
import { tooManyCalls } from '../doors/shared/call-rate.ts'
import { Failure } from '../base/failure.ts'
import { HttpFailure } from '../http/failure.ts'
import { bytes, type Headers, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import { everyMethod, type Handler, type Methods, type Params, type Route } from '../http/route.ts'
import { createRouter, nothingHere, type Router } from '../http/router.ts'
import { anonymous } from '../identity/caller.ts'
import { isObject } from '../base/json.ts'
import type { RouteRequest } from '../plugins/api.ts'
import { pluginFailed } from '../plugins/keeper.ts'
import type { Active, Handle } from '../plugins/handle.ts'
import type { RegisteredRoute } from '../plugins/registered.ts'
import { newId } from '../store/core/ids.ts'
import { findClosed } from './pages/closed-page.ts'

const maxBodyBytes = 1024 ** 2
const maxReplyBytes = 4 * 1024 ** 2

/** The one route for all plugins. A separate router finds the routes of the active plugins. */
export function extRoute(site: Services): Route {
  let routed: Active | undefined
  let router: Router | undefined
  const answer: Handler = (request) => {
    const closed = findClosed(site, request)
    if (closed) return closed
    const { active } = site.plugins
    if (routed !== active || !router) {
      router = createRouter(routesOf(site, active.routes), { methods: everyMethod(nothingHere), door: 'site' })
      routed = active
    }
    const { handler, params } = router.match(request)
    return handler(request, params)
  }
  return { path: '/ext/*', slash: 'exact', letterCase: 'exact', methods: everyMethod(answer), door: 'site' }
}

/** One route per path with all its methods, since the router uses only the first of two routes for a path. */
function routesOf(site: IdentityServices & ProgramServices, handles: readonly Handle<RegisteredRoute>[]): readonly Route[] {
  const byPath = new Map<string, Methods>()
  for (const handle of handles) {
    const { method, path } = handle.about
    const whole = `/ext/${handle.plugin}${path}`
    const answer: Handler = (request, params) => serve(site, handle, request, params)
    byPath.set(whole, { [method]: answer, ...byPath.get(whole) })
  }
  return [...byPath].map(([path, methods]) => ({ path, slash: 'exact', letterCase: 'exact', methods }))
}

async function serve(
  site: IdentityServices & ProgramServices,
  handle: Handle<RegisteredRoute>,
  request: Request,
  params: Params,
): Promise<Reply> {
  const rate = site.rate.takeCall(anonymous('api', request.client))
  if (!rate.allowed)
    throw new HttpFailure('rate_limited', tooManyCalls(rate).message, undefined, { retryAfterSeconds: rate.resetSeconds })
  const about = await requestFor(handle.plugin, request, params)
  try {
    return replyOf(await handle.run([about]), request, (expected) => badReply(site, handle, expected))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new HttpFailure(httpCode(error), error.message, undefined, {
      retryAfterSeconds: error.detail.retry_after,
      cause: error,
    })
  }
}

const httpCode = ({ code }: Failure) =>
  code === 'not_found' || code === 'too_large' || code === 'failed' || code === 'unavailable' ? code : 'malformed'

/** Request headers that a plugin does not get: they identify a visitor, or only a proxy may set them. */
const withheld =
  /^(?:cookie|authorization|proxy-.*|x-api-key|forwarded|x-forwarded-.*|x-real-ip|x-postern-.*|connection|host|te|trailer|upgrade)$/
const passed = ['accept', 'accept-language', 'content-type', 'if-none-match', 'origin', 'referer', 'user-agent'] as const

async function requestFor(id: string, request: Request, params: Params): Promise<RouteRequest> {
  const body = Buffer.from(request.method === 'GET' || request.method === 'HEAD' ? '' : await request.readBody(maxBodyBytes))
  return {
    method: request.method,
    path: request.path.slice(`/ext/${id}`.length),
    params,
    query: Object.fromEntries(request.query),
    headers: headersFor(request),
    body: body.toString('utf8'),
    bodyBase64: body.toString('base64'),
    client: request.client,
  }
}

/** The usual headers, and `x-…` headers because webhooks send their signatures in them. */
function headersFor(request: Request): Record<string, string> {
  const names = [...passed, ...request.headerNames().filter((name) => name.startsWith('x-') && !withheld.test(name))]
  return Object.fromEntries(
    names.flatMap((name) => (request.header(name) === undefined ? [] : [[name, request.header(name) ?? '']])),
  )
}

const allowedHeaders = new Set(
  'content-type cache-control etag last-modified content-language content-disposition location retry-after vary link'.split(' '),
)

/** Headers of every page of a plugin. `sandbox` without `allow-same-origin` gives the page and its forms another origin. */
const kept: Headers = {
  'content-security-policy':
    "default-src 'none'; img-src 'self' https: data:; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; sandbox allow-forms",
  'referrer-policy': 'strict-origin-when-cross-origin',
  'cache-control': 'no-cache',
}

function replyOf(value: unknown, request: Request, bad: (expected: string) => Failure): Reply {
  const reply: unknown = value ?? {}
  if (!isObject(reply)) throw bad('an object with status, headers and body')
  const { status = 200, headers, body, bodyBase64 } = reply
  if (!Number.isInteger(status) || Number(status) < 200 || Number(status) > 599) throw bad('a status from 200 to 599')
  const given = isObject(headers) ? Object.entries(headers).map(([name, one]) => [name.toLowerCase(), one] as const) : []
  const own = given.filter(
    (one): one is readonly [string, string] =>
      allowedHeaders.has(one[0]) && typeof one[1] === 'string' && !/[^\x20-\x7e]/.test(one[1]),
  )
  const data =
    typeof bodyBase64 === 'string'
      ? Buffer.from(bodyBase64, 'base64')
      : Buffer.from(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body))
  if (data.byteLength > maxReplyBytes) throw bad('a body of at most 4 MiB')
  const type = typeof body === 'string' || body === undefined ? 'text/plain; charset=utf-8' : 'application/json'
  const all = { 'content-type': type, ...Object.fromEntries(own) }
  return bytes(Number(status), data, {
    ...kept,
    ...all,
    'content-type': harmless(all['content-type']),
    ...locationOf(all, request),
  })
}

/** The site's own pages may run scripts from its origin, so no plugin may serve one. */
const harmless = (type: string): string => (/script|wasm/i.test(type) ? 'text/plain; charset=utf-8' : type)

/** A plugin doesn't know the site's base path, so it is added to redirects within `/ext/`. */
function locationOf(headers: Readonly<Record<string, string>>, { basePath }: Request): Headers {
  const { location } = headers
  return location?.startsWith('/ext/') ? { location: basePath + location } : {}
}

function badReply({ log, clock }: ProgramServices, { plugin, about }: Handle<RegisteredRoute>, expected: string): Failure {
  const reference = newId(clock.now())
  const source = `plugin:${plugin}`
  log.error('plugin returned an invalid reply', { plugin, source, reference, route: `${about.method} ${about.path}`, expected })
  return pluginFailed(plugin, reference)
}

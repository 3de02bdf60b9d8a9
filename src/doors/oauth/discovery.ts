// Serves the discovery documents at every address where clients look: below the slug, and at the origin's root with the path
// inserted. documents.ts makes their content. The texts are cached for each base address of the site.

import type { ProgramServices } from '../../actions/call/services.ts'
import { openHeaders, preflight } from '../shared/cors.ts'
import { baseOf, mcpPath } from '../shared/paths.ts'
import { basePathOf } from '../../base/config.ts'
import { HttpFailure } from '../../http/failure.ts'
import { json, jsonReply, type Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Handler, Route } from '../../http/route.ts'
import { apiCatalog, authorizationServer, openidConfiguration, protectedResource } from './documents.ts'
import { oauthPaths } from './paths.ts'

const door = 'discovery'
const options = preflight('GET, HEAD, OPTIONS')
const bareMcpPath = mcpPath.slice(0, -1)

/** The routes of the documents. Any other `/.well-known/` path is a JSON 404, because an HTML page there misleads clients. */
export function discoveryRoutes({ release, config }: ProgramServices): readonly Route[] {
  const plain = keptDocument((base) => protectedResource(base, mcpPath))
  const slashless = keptDocument((base) => protectedResource(base, bareMcpPath))
  const server = keptDocument((base) => authorizationServer(base, release))
  const openid = keptDocument((base) => openidConfiguration(base, release))
  const catalog = catalogDocument()
  const { protectedResource: resource, authorizationServer: issuer, openidConfiguration: connect } = oauthPaths
  const slug = basePathOf(config)
  const below = [
    row(resource.path, 'either', plain),
    row(resource.path + mcpPath, 'exact', plain),
    row(resource.path + bareMcpPath, 'exact', slashless),
    row(issuer.path, 'either', server),
    row(connect.path, 'either', openid),
    row(oauthPaths.apiCatalog.path, 'either', catalog),
    unknown(),
  ]
  const inserted = [
    row(resource.path + slug, 'either', plain),
    row(resource.path + slug + mcpPath, 'exact', plain),
    row(resource.path + slug + bareMcpPath, 'exact', slashless),
    row(issuer.path + slug, 'either', server),
    row(connect.path + slug, 'either', openid),
    row(oauthPaths.apiCatalog.path + slug, 'either', catalog),
    unknown(),
  ].map((route) => ({ ...route, outside: true }))
  return slug === '' ? below : [...below, ...inserted]
}

const row = (path: string, slash: 'either' | 'exact', document: Handler): Route => ({
  path,
  slash,
  letterCase: 'exact',
  methods: { GET: document, OPTIONS: options },
  door,
})

const missing: Handler = () => {
  throw new HttpFailure('not_found', 'There is no such document under /.well-known/.')
}

const unknown = (): Route => ({
  path: '/.well-known/*',
  slash: 'exact',
  letterCase: 'exact',
  methods: { GET: missing, POST: missing, PUT: missing, PATCH: missing, DELETE: missing, OPTIONS: options },
  door,
})

/**
 * The largest number of cached bases. A site has few hosts. If no setting names them, a request may name any host, so the cache
 * is bounded.
 */
const maxBases = 64

/** Caches a value for each base address of the site. */
function keptBy<T>(make: (base: string) => T): (request: Request) => T {
  const kept = new Map<string, T>()
  return (request) => {
    const base = baseOf(request)
    const held = kept.get(base)
    if (held !== undefined) return held
    if (kept.size >= maxBases) kept.clear()
    const made = make(base)
    kept.set(base, made)
    return made
  }
}

function keptDocument(make: (base: string) => unknown): Handler {
  return keptBy((base) => json(200, make(base), openHeaders))
}

/** The catalogue is `application/json`, or `application/linkset+json` if the client asks for that. @see RFC 9727 §4.2 */
function catalogDocument(): Handler {
  const replies = keptBy((base) => {
    const text = JSON.stringify(apiCatalog(base))
    const headers = { ...openHeaders, vary: 'Accept' }
    return {
      plain: jsonReply(200, text, headers),
      linkset: jsonReply(200, text, { ...headers, 'content-type': linksetType }),
    }
  })
  return (request) => {
    const wantsLinkset = (request.header('accept') ?? '').toLowerCase().includes(linksetType)
    return wantsLinkset ? replies(request).linkset : replies(request).plain
  }
}

const linksetType = 'application/linkset+json'

/** A failure of this door as JSON. @see RFC 6749 §5.2 */
export function discoveryFailure({ status, code, message, headers }: HttpFailure): Reply {
  return json(status, { error: code, error_description: message }, { ...headers, ...openHeaders })
}

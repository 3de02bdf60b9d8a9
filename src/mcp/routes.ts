// `/mcp/`, the door for AI clients: which forms of its address are served, and what each method there does.

import { basePathOf, ownHostsOf } from '../config.ts'
import type { Services } from '../actions/services.ts'
import { openHeaders, preflight } from '../doors/cors.ts'
import { credentialOf } from '../doors/credential.ts'
import { originAllowed } from '../doors/origin-header.ts'
import { mcpPath } from '../doors/paths.ts'
import { askBeforeMethod, standsBeforeMethods, throughPlugins } from '../doors/plugin-path.ts'
import { HttpFailure } from '../http/failure.ts'
import { redirect, type Reply, text } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Handler, Methods, Route } from '../http/route.ts'
import { refusedByPlugin } from './call-tool.ts'
import { challenge, emptyBody, errorReply } from './failure.ts'
import { orientation } from './introduction.ts'
import { createPost, isJsonType } from './post.ts'

export { mcpFailure } from './failure.ts'

/** The rows of this door; which forms of the address there are differs by release (INTERFACE.md "Versioning"). */
export function mcpRoutes(site: Services): readonly Route[] {
  const { release, config } = site
  const guarded = guardOrigin(site)
  const options = guarded(preflight('GET, POST, OPTIONS'))
  const methods: Methods = {
    GET: guarded((request) => get(site, request)),
    POST: guarded(createPost(site)),
    OPTIONS: options,
  }
  const endpoint = { path: mcpPath, methods, door: 'mcp' } as const
  const bare = mcpPath.slice(0, -1)
  const redirects =
    release.slashlessMcp === 'redirect' || (release.slashlessMcp === 'redirect-below-slug' && basePathOf(config) !== '')
  const rows: readonly Route[] = redirects
    ? [
        { ...endpoint, slash: 'exact', letterCase: release.slugCase },
        {
          path: bare,
          slash: 'exact',
          letterCase: release.slugCase,
          methods: { ...all(toSlash), OPTIONS: options },
          door: 'mcp',
        },
      ]
    : [{ ...endpoint, slash: 'either', letterCase: release.slugCase }]
  return release.slugCase === 'any' ? rows : [...rows, ...otherCaseRows(bare)]
}

/** Where case counts, `/MCP` is taken for a page without its slash, which is missing. */
function otherCaseRows(bare: string): readonly Route[] {
  return [
    { path: bare, slash: 'exact', letterCase: 'any', methods: all(toSlash), door: 'site' },
    { path: mcpPath, slash: 'exact', letterCase: 'any', methods: all(missing), door: 'site' },
  ]
}

const all = (handler: Handler): Methods => ({
  GET: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
  OPTIONS: handler,
})

const toSlash: Handler = ({ basePath, rawPath, target }) => {
  const query = target.indexOf('?')
  const location = `${basePath}${rawPath}/${query < 0 ? '' : target.slice(query)}`
  return redirect(302, location, { ...openHeaders, 'x-redirect-by': 'Postern' })
}

const missing: Handler = () => {
  throw new HttpFailure('not_found', 'There is no page here.')
}

/** Turns away what a browser sends for a page of an origin that may not call here, before anything else is looked at. */
function guardOrigin({ config, settings }: Services): (handler: Handler) => Handler {
  const ownHosts = ownHostsOf(config)
  return (handler) => (request, params) => {
    const origin = request.header('origin')
    if (origin === undefined || originAllowed(origin, request, { ownHosts, named: settings.values.mcp_origins })) {
      return handler(request, params)
    }
    throw new HttpFailure('forbidden', 'Pages of this Origin may not call this endpoint.')
  }
}

/** Clients that ask for a stream, or are left with a GET by a redirect, are told so; people get a few words. */
async function get(site: Services, request: Request): Promise<Reply> {
  const accept = (request.header('accept') ?? '').toLowerCase()
  const isClient =
    accept.includes('text/event-stream') || accept.includes('application/json') || isJsonType(request.header('content-type'))
  const standing = standsBeforeMethods(site)
  if (!isClient && !standing) return text(200, orientation, openHeaders)
  const credential = await credentialOf(site, request, 'mcp')
  if (isClient && !credential.caller && !site.release.mcpAnonymous) return challenge(request, credential, emptyBody(401))
  const reply = isClient ? errorReply(emptyBody(405), { ...openHeaders, allow: 'POST' }) : text(200, orientation, openHeaders)
  const { caller } = credential
  if (!standing || !caller) return reply
  return throughPlugins(site, async () => {
    const refused = await askBeforeMethod(site, caller, '')
    return refused ? errorReply(refusedByPlugin(refused)) : reply
  })
}

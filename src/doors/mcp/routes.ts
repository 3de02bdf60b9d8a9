// `/mcp/`, the door for AI clients: its address, and the handler of each method.

import { ownHostsOf } from '../../base/config.ts'
import type { IdentityServices, ProgramServices, Services, SettingsServices } from '../../actions/call/services.ts'
import { openHeaders, preflight } from '../shared/cors.ts'
import { credentialOf } from '../shared/credential.ts'
import { originAllowed } from '../shared/origin-header.ts'
import { mcpPath } from '../shared/paths.ts'
import { mcpAddresses } from '../shared/profiles/mcp-addresses.ts'
import { answerGet } from '../shared/profiles/plugin-requests.ts'
import { HttpFailure } from '../../http/failure.ts'
import { type Reply, text } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Handler, Methods, Route } from '../../http/route.ts'
import { refusedByPlugin } from './call-tool.ts'
import { isJsonType } from './content-type.ts'
import { challenge, emptyBody, errorReply } from './failure.ts'
import { orientation } from './introduction.ts'
import { createPost } from './post.ts'

export { mcpFailure } from './failure.ts'

/** The routes of `/mcp/`. Old release profiles serve other forms of the address. */
export function mcpRoutes(site: Services): readonly Route[] {
  const guarded = guardOrigin(site)
  const methods: Methods = {
    GET: guarded((request) => get(site, request)),
    POST: guarded(createPost(site)),
    OPTIONS: guarded(preflight('GET, POST, OPTIONS')),
  }
  return mcpAddresses(site, { path: mcpPath, slash: 'either', letterCase: 'any', methods, door: 'mcp' })
}

/** Refuses browser requests for pages of origins that may not call `/mcp/`, before any other check. */
function guardOrigin({ config, settings }: ProgramServices & SettingsServices): (handler: Handler) => Handler {
  const ownHosts = ownHostsOf(config)
  return (handler) => (request, params) => {
    const origin = request.header('origin')
    if (origin === undefined || originAllowed(origin, request, { ownHosts, named: settings.values.mcp_origins })) {
      return handler(request, params)
    }
    throw new HttpFailure('forbidden', 'Pages of this Origin may not call this endpoint.')
  }
}

/**
 * Answers a GET. A client gets an error if it asks for a stream, or if a redirect turned its POST into a GET: after an answer of
 * 200, real clients would repeat the request for ever. A person gets a short text.
 */
async function get(site: Services, request: Request): Promise<Reply> {
  const reply = isClient(request) ? await refuseGet(site, request) : text(200, orientation, openHeaders)
  return reply.status === 401 ? reply : answerGet(site, request, reply, (refusal) => errorReply(refusedByPlugin(refusal)))
}

function isClient(request: Request): boolean {
  const accept = (request.header('accept') ?? '').toLowerCase()
  const acceptsData = accept.includes('text/event-stream') || accept.includes('application/json')
  return acceptsData || isJsonType(request.header('content-type'))
}

async function refuseGet(site: IdentityServices & ProgramServices, request: Request): Promise<Reply> {
  const credential = await credentialOf(site, request, 'mcp')
  const mayPost = credential.caller !== undefined || site.release.mcpAnonymous
  return mayPost ? errorReply(emptyBody(405), { ...openHeaders, allow: 'POST' }) : challenge(request, credential, emptyBody(401))
}

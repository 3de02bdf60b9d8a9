// The OAuth endpoints as routes: register, authorize, token, revoke. Programs get JSON; a person at authorize gets a page. The
// function that shows a valid request to the owner is passed in, because it belongs to the admin.

import type { Services } from '../../actions/call/services.ts'
import { preflight } from '../shared/cors.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { everyMethod, type Handler, type Methods, type Route } from '../../http/route.ts'
import { createAddressRate } from './address-rate.ts'
import { refuseAuthorize } from './authorize-answer.ts'
import { type AuthorizeRequest, parseAuthorizeRequest } from './authorize-request.ts'
import { oauthPaths } from './paths.ts'
import { createRegister } from './register.ts'
import { createRevoke } from './revoke-endpoint.ts'
import { createToken } from './token-endpoint.ts'

/** Answers a valid authorization request: with the sign-in form, or with the question to the owner. */
export type AskOwner = (request: Request, authorize: AuthorizeRequest) => Reply | Promise<Reply>

const maxFormBytes = 16 * 1024
const hourMs = 60 * 60 * 1000
const minuteMs = 60 * 1000

export function oauthRoutes(site: Services, askOwner: AskOwner = noPages): readonly Route[] {
  const { config, release } = site
  const register = createAddressRate(site, 'registrations', config.POSTERN_REGISTRATIONS_PER_HOUR, hourMs)
  const token = createAddressRate(site, 'token requests', config.POSTERN_TOKEN_REQUESTS_PER_MINUTE, minuteMs)
  return [
    row(oauthPaths.register.path, release.registration ? posted(createRegister(site, register)) : everyMethod(noRegistration)),
    row(oauthPaths.token.path, posted(createToken(site, token))),
    row(oauthPaths.revoke.path, posted(createRevoke(site, token))),
    // A person's page: scripts and frames of public pages can't load it.
    { ...row(oauthPaths.authorize.path, createAuthorize(site, askOwner)), kind: 'window' },
  ]
}

const row = (path: string, methods: Methods): Route => ({ path, slash: 'either', letterCase: 'exact', methods, door: 'oauth' })
const posted = (handler: Handler): Methods => ({ POST: handler, OPTIONS: preflight('POST, OPTIONS') })

/** Handles authorization requests, whose parameters come in the query or as a form. @see RFC 6749 §3.1 */
function createAuthorize(site: Services, askOwner: AskOwner): Methods {
  const decide = (request: Request, query: URLSearchParams) => {
    const { scheme, host, basePath } = request
    const decision = parseAuthorizeRequest(site, { query, scheme, host, basePath })
    return 'ok' in decision ? askOwner(request, decision.ok) : refuseAuthorize(request, decision)
  }
  return {
    GET: (request) => decide(request, request.query),
    POST: async (request) => {
      const body = await request.readBody(maxFormBytes)
      return decide(request, new URLSearchParams(Buffer.from(body).toString()))
    },
  }
}

const noPages: AskOwner = () => {
  throw new HttpFailure('unavailable', 'This site has no page to sign in on.')
}

const noRegistration: Handler = () => {
  throw new HttpFailure('not_found', 'This site registers no clients.')
}

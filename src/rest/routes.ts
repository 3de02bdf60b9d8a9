// `/api/`, the door for scripts: one POST, one call. A credential that is no good makes an anonymous caller, never a refusal.

import { dispatch, type Outcome } from '../actions/dispatch.ts'
import type { Services } from '../actions/services.ts'
import { aroundOf } from '../doors/call.ts'
import { rateHeaders, tooManyCalls } from '../doors/call-rate.ts'
import { preflight } from '../doors/cors.ts'
import { credentialOf } from '../doors/credential.ts'
import { apiPath } from '../doors/paths.ts'
import { readJson } from '../doors/read-json.ts'
import { Failure } from '../failure.ts'
import { empty, type Headers, jsonReply, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { anonymous, type Caller } from '../identity/caller.ts'
import { JsonText } from '../json.ts'
import { failureReply } from './failure.ts'
import { readCall } from './read-call.ts'

export { restFailure } from './failure.ts'

/** The one row of this door. */
export function restRoutes(site: Services): readonly Route[] {
  return [
    {
      path: apiPath,
      slash: 'either',
      letterCase: 'any',
      methods: { POST: (request) => answer(site, request), OPTIONS: preflight('POST, OPTIONS') },
      door: 'api',
    },
  ]
}

async function answer(site: Services, request: Request): Promise<Reply> {
  const credential = await credentialOf(site, request, 'api')
  const caller = credential.caller ?? anonymous('api', request.client)
  const rate = site.rate.takeCall(caller)
  const headers = rateHeaders(rate)
  try {
    if (!rate.allowed) throw tooManyCalls(rate)
    return await call(site, caller, request, headers)
  } catch (error) {
    if (error instanceof Failure) return failed(site, error, headers)
    throw error
  }
}

async function call(site: Services, caller: Caller, request: Request, headers: Headers): Promise<Reply> {
  const body = await readJson(site, request, caller.token !== null)
  if (body.kind === 'silence') return empty(200, headers)
  if (body.kind === 'failure') throw body.failure
  const read = readCall(body.kind === 'empty' ? undefined : body.value)
  const outcome: Outcome = await dispatch(site, caller, read, aroundOf(request))
  if (!outcome.ok) throw outcome.failure
  if (outcome.data.mended && site.release.badUtf8Answer === 'empty') return empty(200, headers)
  return jsonReply(200, `{"success":true,"data":${outcome.data.text}}`, headers)
}

function failed({ release }: Services, failure: Failure, headers: Headers): Reply {
  const silent = release.badUtf8Answer === 'empty' && JsonText.of(failure).mended
  return silent ? empty(200, headers) : failureReply(failure, headers)
}

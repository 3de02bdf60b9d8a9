// `/api/`, the door for scripts: one POST, one call. A credential that is no good makes an anonymous caller, never a refusal.

import type { Call, Outcome } from '../actions/call.ts'
import type { Services } from '../actions/services.ts'
import { credentialBeside } from '../doors/bridge.ts'
import { rateHeaders, tooManyCalls } from '../doors/call-rate.ts'
import { preflight } from '../doors/cors.ts'
import { maintenanceRefusal, maintenanceReply } from '../doors/maintenance.ts'
import { apiPath } from '../doors/paths.ts'
import { runCall, throughPlugins } from '../doors/plugin-path.ts'
import { readJson } from '../doors/read-json.ts'
import { silenced } from '../doors/silence.ts'
import { Failure } from '../failure.ts'
import { empty, type Headers, jsonReply, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { anonymous, type Caller } from '../identity/caller.ts'
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
  const { credential } = await credentialBeside(site, request, 'api')
  const caller = credential?.caller ?? anonymous('api', request.client)
  const rate = site.rate.takeCall(caller)
  const headers = rateHeaders(rate)
  if (!rate.allowed) return failureReply(tooManyCalls(rate), headers)
  return throughPlugins(site, () => answerBody(site, caller, request, headers))
}

async function answerBody(site: Services, caller: Caller, request: Request, headers: Headers): Promise<Reply> {
  const body = await readJson(site, request, caller.token !== null)
  if (body.kind === 'silence') return empty(200, headers)
  if (body.kind === 'failure') return failureReply(body.failure, headers)
  const asked = body.kind === 'empty' ? undefined : body.value
  const read = readOrFail(asked)
  const closed = maintenanceRefusal(site, caller, read instanceof Failure ? undefined : read.name)
  if (closed) return maintenanceReply(site, closed, headers, () => failureReply(closed, headers))
  const outcome: Outcome = read instanceof Failure ? { ok: false, failure: read } : await runCall(site, caller, read, request)
  const reply = outcome.ok
    ? jsonReply(200, `{"success":true,"data":${outcome.data.text}}`, headers)
    : failureReply(outcome.failure, headers)
  return silenced(site.release, asked, reply)
}

function readOrFail(asked: unknown): Call | Failure {
  try {
    return readCall(asked)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

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
import { empty, type Headers, type Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { anonymous, type Caller } from '../identity/caller.ts'
import { failureReply, withUnrecognised } from './failure.ts'
import { lineReply } from './line-reply.ts'
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

/** Who calls, and how a failure of the call is told to them. */
interface Asking {
  readonly request: Request
  readonly caller: Caller
  readonly headers: Headers
  readonly refuse: (failure: Failure) => Reply
}

async function answer(site: Services, request: Request): Promise<Reply> {
  const { credential } = await credentialBeside(site, request, 'api')
  const caller = credential?.caller ?? anonymous('api', request.client)
  const rate = site.rate.takeCall(caller)
  const headers = rateHeaders(rate)
  const isUnrecognised = credential?.caller === undefined && showsCredential(request)
  const refuse = (failure: Failure) => failureReply(isUnrecognised ? withUnrecognised(failure) : failure, headers)
  if (!rate.allowed) return refuse(tooManyCalls(rate))
  return throughPlugins(site, () => answerBody(site, { request, caller, headers, refuse }))
}

/** Whether a request carries anything that was meant as a credential, such as a token without `Bearer`, or an empty one. */
const showsCredential = (request: Request): boolean =>
  request.header('authorization') !== undefined || request.header('x-api-key') !== undefined

async function answerBody(site: Services, { request, caller, headers, refuse }: Asking): Promise<Reply> {
  const body = await readJson(site, request, caller.token !== null)
  if (body.kind === 'silence') return empty(200, headers)
  if (body.kind === 'failure') return refuse(body.failure)
  const asked = body.kind === 'empty' ? undefined : body.value
  const read = readOrFail(asked)
  const closed = maintenanceRefusal(site, caller, read instanceof Failure ? undefined : read.name)
  if (closed) return maintenanceReply(site, closed, headers, () => refuse(closed))
  const outcome: Outcome = read instanceof Failure ? { ok: false, failure: read } : await runCall(site, caller, read, request)
  const reply = outcome.ok ? lineReply(200, `{"success":true,"data":${outcome.data.text}}`, headers) : refuse(outcome.failure)
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

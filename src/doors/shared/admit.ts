// The steps between a request to `/mcp/` or `/api/` and the action that it calls. Their order is the security argument: no byte
// of a body is read before its sender may send one, and no plugin is asked about a call before its caller is known.
//
// For each request, in `admit`:
//   1. credential    Who is calling? A bearer token or, if a bridge plugin is active, an `X-API-Key` answers that.
//   2. challenge     A door may refuse a caller without a usable token.
//   3. rate          The call counts against the caller's limit.
//   4. body          Content type, size, UTF-8, JSON.
// For each call in the body, since `/mcp/` takes several in one request:
//   5. maintenance   `findMaintenanceRefusal`: while the site is closed, only the call that opens it goes on.
//   6. plugins       `runCall`: plugins with a hook before dispatch may refuse the call.
//   7. dispatch      `runCall`: tier, limits of the token and arguments are checked in `actions/call/dispatch.ts`.
//
// Each door words its own refusals. `doors/shared/profiles/` has the differences in old release profiles; each function there
// describes release 1.

import type { Around, Call, Outcome } from '../../actions/call/call.ts'
import { maintenanceCall } from '../../actions/settings/maintenance.ts'
import { dispatch } from '../../actions/call/dispatch.ts'
import type { Services } from '../../actions/call/services.ts'
import { Failure } from '../../base/failure.ts'
import type { Headers, Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import { anonymous, type Caller } from '../../identity/caller.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import { findCredential } from './bridge.ts'
import { aroundOf } from './call.ts'
import { rateHeaders, tooManyCalls } from './call-rate.ts'
import type { Credential } from './credential.ts'
import { askAboutCall } from './plugin-hooks.ts'
import { withoutSurrogates } from './profiles/bad-utf8.ts'
import { answerAmongPlugins, throwFatal } from './profiles/plugin-output.ts'
import { type JsonBody, readJson } from './read-json.ts'
import { readTexts, TextReading, textWarnings } from './read-texts.ts'

/** A request whose caller is known and within their rate limit. */
export interface Admitted {
  readonly site: Services
  readonly request: Request
  readonly caller: Caller
  readonly credential: Credential
  /** Headers of every answer: CORS, and the caller's rate limit. */
  readonly headers: Headers
  /** Called with the progress of a job, if the client asked for it. */
  readonly onProgress?: Around['onProgress']
}

/** The differences between the two doors. */
export interface AdmittingDoor {
  readonly name: 'mcp' | 'api'
  /** The refusal of a caller without a usable token; undefined if such a caller goes on as an anonymous one. */
  challenge(request: Request, credential: Credential): Reply | undefined
  /** The refusal of a call that exceeds the rate limit. */
  refuseRate(admitted: Admitted, failure: Failure): Reply
  /** The refusal of a content type, before the body is read. */
  checkType?(request: Request): Failure | undefined
  /** Reads a request body that is not JSON; undefined if the request body is JSON. */
  readForm?(admitted: Admitted): Promise<JsonBody> | undefined
  answer(admitted: Admitted, body: JsonBody): Soon<Reply>
}

/**
 * Answers a request: steps 1 to 4, then the door's answer. It waits only for the request body, and for queries and plugins that
 * need time.
 * @throws HttpFailure `timeout` and `client_left` while the body is read; `failed`, `unavailable` or `rate_limited` from the
 * bridge
 */
export function admit(site: Services, request: Request, door: AdmittingDoor): Soon<Reply> {
  return whenThere(
    findCredential(site, request, door.name),
    (found) => found.reply ?? admitAs(site, request, door, found.credential),
  )
}

function admitAs(site: Services, request: Request, door: AdmittingDoor, credential: Credential): Soon<Reply> {
  const challenge = credential.caller ? undefined : door.challenge(request, credential)
  if (challenge) return challenge

  const caller = credential.caller ?? anonymous(door.name, request.client)
  const rate = site.rate.takeCall(caller)
  const admitted: Admitted = { site, request, caller, credential, headers: rateHeaders(rate) }
  if (!rate.allowed) return door.refuseRate(admitted, tooManyCalls(rate))

  return answerAmongPlugins(site, () => answerBody(admitted, door))
}

function answerBody(admitted: Admitted, door: AdmittingDoor): Soon<Reply> {
  const { site, request, caller } = admitted
  const wrongType = door.checkType?.(request)
  if (wrongType) return door.answer(admitted, { kind: 'failure', failure: wrongType })

  return whenThere(door.readForm?.(admitted) ?? readJson(site, request, caller.token !== null), (body) => {
    const reply = door.answer(admitted, body)
    return body.kind === 'value' ? withoutSurrogates(site.release, body.value, reply) : reply
  })
}

/**
 * Step 5 for one call: returns the refusal while maintenance is on. Only an admin's call that ends maintenance is let through.
 * @param name `CLASS.ACTION`; undefined for a request that runs no action
 */
export function findMaintenanceRefusal({ site, caller }: Admitted, name: string | undefined): Failure | undefined {
  const closed = site.maintenance.now()
  const isAdmin = caller.tier === 'admin'
  if (!closed || (isAdmin && name === maintenanceCall)) return undefined
  return new Failure('unavailable', `Maintenance is on: ${closed.message}`, {
    retry_after: closed.retryAfterSeconds,
    ...(isAdmin ? { hint: `${maintenanceCall} {"on": false} opens the site.` } : {}),
  })
}

/**
 * Steps 6 and 7 for one call. If no plugin has a hook before dispatch, step 6 costs nothing.
 * @param reading what the door has read from texts; plugins and dispatch get what this door read, and the caller a warning
 */
export function runCall(
  { site, caller, request, onProgress }: Admitted,
  given: Call,
  reading = new TextReading({ site, caller }),
): Soon<Outcome> {
  const call = readTexts(site, caller, given, reading)
  const isUnguarded = site.plugins.active.hooks.length === 0
  const outcome = isUnguarded
    ? dispatch(site, caller, call, aroundOf(request, onProgress))
    : runGuarded(site, caller, call, aroundOf(request, onProgress))
  const warned =
    reading.fields.length === 0
      ? outcome
      : whenThere(outcome, (one) => (one.ok ? { ...one, warnings: textWarnings(reading) } : one))
  return throwFatal(site, warned)
}

async function runGuarded(site: Services, caller: Caller, call: Call, around: Around): Promise<Outcome> {
  const refusal = await askAboutCall(site, caller, call)
  return refusal ? { ok: false, failure: refusal } : dispatch(site, caller, call, around)
}

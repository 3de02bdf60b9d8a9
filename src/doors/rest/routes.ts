// `/api/`, the door for scripts: one POST runs one action. A caller whose credential is not usable is anonymous and not
// refused, and its answer says so.

import type { Call, Outcome } from '../../actions/call/call.ts'
import type { WriteWarning } from '../../actions/call/write-answer.ts'
import type { ProgramServices, Services } from '../../actions/call/services.ts'
import { admit, type Admitted, type AdmittingDoor, findMaintenanceRefusal, runCall } from '../shared/admit.ts'
import { preflight } from '../shared/cors.ts'
import { apiPath } from '../shared/paths.ts'
import { unanswered } from '../shared/profiles/bad-utf8.ts'
import { findMaintenancePage } from '../shared/profiles/maintenance-page.ts'
import type { JsonBody } from '../shared/read-json.ts'
import { TextReading } from '../shared/read-texts.ts'
import { Failure } from '../../base/failure.ts'
import { jsonText } from '../../base/json.ts'
import { dropIncoming } from '../../media/incoming.ts'
import type { Reply } from '../../http/reply.ts'
import { HttpFailure } from '../../http/failure.ts'
import { everyMethod, type Handler, type Route } from '../../http/route.ts'
import { type Soon, whenThere } from '../../base/soon.ts'
import { failureReply, unrecognisedNotice, withUnrecognised } from './failure.ts'
import { lineReply } from './line-reply.ts'
import { openApiRoute } from './openapi.ts'
import { form, readCall } from './read-call.ts'
import { isForm, readForm } from './read-form.ts'
import { uploadRoute } from './upload-link.ts'

export { restFailure } from './failure.ts'

export function restRoutes(site: Services): readonly Route[] {
  return [
    openApiRoute(site),
    {
      path: apiPath,
      slash: 'either',
      letterCase: 'any',
      methods: {
        POST: (request) => admit(site, request, isForm({ request }) ? formDoor(site) : door),
        OPTIONS: preflight('POST, OPTIONS'),
      },
      door: 'api',
    },
    uploadRoute(site),
    { path: `${apiPath}*`, slash: 'exact', letterCase: 'exact', methods: everyMethod(noSuchPath), door: 'api' },
  ]
}

/** Scripts get JSON below `/api/` too, where no page can be. */
const noSuchPath: Handler = () => {
  throw new HttpFailure(
    'not_found',
    'There is nothing at this path. Send a POST to /api/ with the action in the body: {"action": "SVC_Content.get", "id": "/about"}.',
  )
}

const door: AdmittingDoor = { name: 'api', challenge: () => undefined, refuseRate: refuse, answer }

/** The door for one form with a file. A file that the call did not use is deleted. */
function formDoor({ config }: ProgramServices): AdmittingDoor {
  let uploadId: string | undefined
  return {
    ...door,
    readForm: (admitted) =>
      readForm(admitted).then((form) => {
        uploadId = form.uploadId
        return form.body
      }),
    async answer(admitted, body) {
      try {
        return await answer(admitted, body)
      } finally {
        if (uploadId !== undefined) await dropIncoming(config.POSTERN_HOME, uploadId)
      }
    },
  }
}

function answer(admitted: Admitted, body: JsonBody): Soon<Reply> {
  const { site, headers } = admitted
  if (body.kind === 'unanswered') return unanswered(headers)
  if (body.kind === 'failure') return refuse(admitted, withFormOfCall(body.failure))
  const reading = new TextReading(admitted)
  const call = toCall(body.kind === 'empty' ? undefined : body.value, reading)
  const closed = findMaintenanceRefusal(admitted, call instanceof Failure ? undefined : call.name)
  if (closed) return findMaintenancePage(site.release, closed, headers) ?? refuse(admitted, closed)
  if (call instanceof Failure) return refuse(admitted, call)
  return whenThere(runCall(admitted, call, reading), (outcome) => toReply(admitted, outcome))
}

/** Whoever sends no JSON learns what to send. */
const withFormOfCall = ({ code, message, detail, cause }: Failure): Failure =>
  new Failure(code, message, code === 'malformed' ? { expected: form, ...detail } : detail, { cause })

function toReply(admitted: Admitted, outcome: Outcome): Reply {
  if (!outcome.ok) return refuse(admitted, outcome.failure)
  const warnings = warningsAbout(admitted, outcome.warnings)
  const shown = warnings.length === 0 ? '' : `,"warnings":${jsonText(warnings)}`
  return lineReply(outcome.pending ? 202 : 200, `{"success":true,"data":${outcome.data.text}${shown}}`, admitted.headers)
}

/** The warnings about the form of a call. Every field of a form is a text, so that nothing is wrong with one. */
function warningsAbout(admitted: Admitted, ofForm: readonly WriteWarning[] = []): readonly WriteWarning[] {
  const isTold = admitted.site.release.unusableCredential === 'told' && hasUnusableCredential(admitted)
  return [...(isTold ? [unrecognisedNotice] : []), ...(isForm(admitted) ? [] : ofForm)]
}

function toCall(body: unknown, reading: TextReading): Call | Failure {
  try {
    return readCall(body, reading)
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

function refuse(admitted: Admitted, failure: Failure): Reply {
  return failureReply(hasUnusableCredential(admitted) ? withUnrecognised(failure) : failure, admitted.headers)
}

/** True if the request has no usable credential, but an attempt at one, such as a token without `Bearer`. */
const hasUnusableCredential = ({ request, credential }: Admitted): boolean =>
  credential.caller === undefined && (request.header('authorization') !== undefined || request.header('x-api-key') !== undefined)

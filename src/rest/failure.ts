// Failures of `/api/`: `{success: false, error}`, with the status that belongs to the code.

import { retryHeaders } from '../doors/call-rate.ts'
import { openHeaders } from '../doors/cors.ts'
import { type Code, Failure } from '../failure.ts'
import type { HttpFailure } from '../http/failure.ts'
import type { Headers, Reply } from '../http/reply.ts'
import { jsonText } from '../json.ts'
import { lineReply } from './line-reply.ts'

/** The status of each code. @see ACTIONS.md, "error codes" */
export const restStatus: Readonly<Record<Code, number>> = {
  malformed: 400,
  invalid: 400,
  unknown_action: 404,
  not_found: 404,
  conflict: 409,
  exists: 409,
  in_use: 409,
  key_reused: 409,
  too_large: 413,
  unsupported: 415,
  unprocessable: 422,
  refused: 422,
  unreachable: 422,
  rate_limited: 429,
  failed: 500,
  unavailable: 503,
}

/** The answer of a call that failed. */
export function failureReply(failure: Failure, headers: Headers): Reply {
  const text = jsonText({ success: false, error: failure })
  return lineReply(restStatus[failure.code], text, { ...headers, ...retryHeaders(failure) })
}

const notRecognised = 'The token was not recognised, so this call had the rights of an anonymous one.'

/**
 * The failure of a call whose credential was not usable. Such a caller is let in as an anonymous one, so a failure is the first sign that
 * something is wrong with the credential. The hint is the same for every credential and every failure: it reveals nothing.
 */
export function withUnrecognised({ code, message, detail, cause }: Failure): Failure {
  const hint = detail.hint === undefined ? notRecognised : `${notRecognised} ${detail.hint}`
  return new Failure(code, message, { ...detail, hint }, { cause })
}

/** A failure before there is a call: wrong method, wrong host, too large, too slow. */
export function restFailure({ status, code, message, headers, reference }: HttpFailure): Reply {
  const isMethod = code === 'wrong_method'
  const error = { code, message: isMethod ? 'Calls are made here by POST.' : message, reference }
  const more = { ...headers, ...openHeaders, ...(isMethod ? { allow: 'POST' } : {}) }
  return lineReply(status, jsonText({ success: false, error }), more)
}

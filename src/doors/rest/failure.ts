// Failures of `/api/`: `{success: false, error}`, with the status that belongs to the code.

import { retryHeaders } from '../shared/call-rate.ts'
import { openHeaders } from '../shared/cors.ts'
import { failureStatus } from '../shared/failure-status.ts'
import type { WriteWarning } from '../../actions/call/write-answer.ts'
import { Failure } from '../../base/failure.ts'
import type { HttpFailure } from '../../http/failure.ts'
import type { Headers, Reply } from '../../http/reply.ts'
import { jsonText } from '../../base/json.ts'
import { lineReply } from './line-reply.ts'

/** The answer of a call that failed. */
export function failureReply(failure: Failure, headers: Headers): Reply {
  const text = jsonText({ success: false, error: failure })
  return lineReply(failureStatus[failure.code], text, { ...headers, ...retryHeaders(failure) })
}

const notRecognised = 'The token was not recognised, so this call had the rights of an anonymous one.'

/** The notice of a call that succeeded although its credential was not usable. It is the same for every credential. */
export const unrecognisedNotice: WriteWarning = { code: 'token_not_recognised', message: notRecognised }

/**
 * The failure of a call whose credential was not usable. Such a caller is treated as anonymous, so a failure is the first sign of
 * a fault in the credential. The hint is the same for every credential and every failure, so it reveals nothing.
 */
export function withUnrecognised({ code, message, detail, cause }: Failure): Failure {
  const hint = detail.hint === undefined ? notRecognised : `${notRecognised} ${detail.hint}`
  return new Failure(code, message, { ...detail, hint }, { cause })
}

/** A failure before there is a call: wrong method, wrong host, too large, too slow. */
export function restFailure({ status, code, message, headers, reference, retryAfterSeconds }: HttpFailure): Reply {
  const isMethod = code === 'wrong_method'
  const error = {
    code,
    message: isMethod ? 'Send calls to this address by POST.' : message,
    retry_after: retryAfterSeconds,
    reference,
  }
  const more = { ...headers, ...openHeaders, ...(isMethod ? { allow: 'POST' } : {}) }
  return lineReply(status, jsonText({ success: false, error }), more)
}

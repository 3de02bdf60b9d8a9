// The rate limit of a caller: its headers in every answer, and the refusal, which each door puts into its own format.

import { Failure } from '../../base/failure.ts'
import type { Headers } from '../../http/reply.ts'
import type { Taken } from '../../http/rate-limit.ts'
import { openHeaders } from './cors.ts'

/** The headers of every answer, with the caller's rate limit if there is one. */
export function rateHeaders({ limit, remaining, resetSeconds }: Taken): Headers {
  if (limit === Number.MAX_SAFE_INTEGER) return openHeaders
  return {
    ...openHeaders,
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
  }
}

/** The refusal of a call that exceeds the limit. */
export function tooManyCalls({ limit, resetSeconds }: Taken): Failure {
  return new Failure('rate_limited', `More than ${limit} calls in a minute: try again in ${resetSeconds} seconds.`, {
    retry_after: resetSeconds,
  })
}

/** `Retry-After`, if the failure contains a time to wait. */
export function retryHeaders({ detail }: Failure): Readonly<Record<string, string>> {
  return detail.retry_after === undefined ? {} : { 'retry-after': String(detail.retry_after) }
}

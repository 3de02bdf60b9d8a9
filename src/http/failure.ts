// Failures of the HTTP layer, below every door: framing, host, method, size, time. Each door puts them into its own form.

import { usualWaitSeconds } from '../base/failure.ts'

/** The codes and their statuses. `client_left` is never sent, because the client is gone. */
export const httpStatuses = {
  malformed: 400,
  forbidden: 403,
  not_found: 404,
  wrong_method: 405,
  timeout: 408,
  too_large: 413,
  unsupported: 415,
  expectation_failed: 417,
  wrong_host: 421,
  rate_limited: 429,
  headers_too_large: 431,
  client_left: 499,
  failed: 500,
  unavailable: 503,
} as const

export type HttpCode = keyof typeof httpStatuses

/** A refusal by the HTTP layer, or by a door in its terms. The message is one sentence for people. */
export class HttpFailure extends Error {
  readonly status: number
  readonly code: HttpCode
  /**
   * Seconds to wait before the next request; for `rate_limited` and `unavailable` only. The header `Retry-After` has the same
   * number.
   */
  readonly retryAfterSeconds: number | undefined
  /** Headers that belong to this answer, such as `allow`. */
  readonly headers: Readonly<Record<string, string>> | undefined
  /** The reference of the line in the log, if there is one. The sentence also contains it. */
  readonly reference: string | undefined
  /** Text that the owner can copy to solve the problem, such as a line of a settings file. The sentence explains its use. */
  readonly copy: string | undefined

  constructor(
    code: HttpCode,
    message: string,
    headers?: Readonly<Record<string, string>>,
    options: ErrorOptions & {
      readonly reference?: string | undefined
      readonly copy?: string
      readonly retryAfterSeconds?: number | undefined
    } = {},
  ) {
    super(message, options)
    this.name = 'HttpFailure'
    this.status = httpStatuses[code]
    this.code = code
    const wait = code === 'rate_limited' || code === 'unavailable' ? (options.retryAfterSeconds ?? usualWaitSeconds) : undefined
    this.retryAfterSeconds = wait
    this.headers = wait === undefined ? headers : { ...headers, 'retry-after': String(wait) }
    this.reference = options.reference
    this.copy = options.copy
  }
}

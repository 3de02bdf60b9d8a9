// The HTTP status of each failure code. Doors with another status for some codes define it in their own files.

import type { Code } from '../../base/failure.ts'

/** The HTTP status of each failure code. The document `rest` lists them. */
export const failureStatus: Readonly<Record<Code, number>> = {
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

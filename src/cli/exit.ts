// Exit codes of the command line. A script uses them to decide on its next step. The document command-line has the same table.

import type { Code } from '../base/failure.ts'

export const exit = {
  ok: 0,
  /** A fault of Postern. The error log has the details. */
  failed: 1,
  /** The command line, a setting or the arguments of a call are invalid. */
  usage: 2,
  /** There is no such thing, or no such action. */
  notFound: 3,
  /** A rule forbids it, or the input can't be used. */
  refused: 4,
  /** Temporary: the home, the database or a remote address can't be reached, or there were too many calls. */
  unavailable: 5,
  /** The state differs from the expectation of the call: another revision, another count, a name that is taken. */
  conflict: 6,
} as const

/** The exit code of each failure. */
export const exitCodes: Record<Code, number> = {
  malformed: exit.usage,
  invalid: exit.usage,
  unknown_action: exit.notFound,
  not_found: exit.notFound,
  conflict: exit.conflict,
  exists: exit.conflict,
  in_use: exit.conflict,
  key_reused: exit.conflict,
  too_large: exit.refused,
  unsupported: exit.refused,
  unprocessable: exit.refused,
  refused: exit.refused,
  unreachable: exit.unavailable,
  rate_limited: exit.unavailable,
  failed: exit.failed,
  unavailable: exit.unavailable,
}

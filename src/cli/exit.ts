// Exit codes of the command line: what a script can do next. README has the same table.

import type { Code } from '../failure.ts'

export const exit = {
  ok: 0,
  /** Our fault; the error log has it. */
  failed: 1,
  /** The command line, or a call's arguments, make no sense. */
  usage: 2,
  /** No such thing, or no such action. */
  notFound: 3,
  /** A rule forbids it, or what was given is of no use. */
  refused: 4,
  /** Not now: the home, the database or a remote address can't be reached. */
  unavailable: 5,
  /** It is not as the call expected: stale revision, wrong count, name taken. */
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

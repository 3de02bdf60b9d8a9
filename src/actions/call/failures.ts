// The codes that an action can fail with: those that follow from its effect and options, and those that it declares.
// `unknown_action` and `malformed` are not among them, because such a call has reached no action.

import { type Code, codes } from '../../base/failure.ts'
import type { Action } from './action.ts'

/** The codes of every action: wrong arguments or options, too long an answer, the rate limit, a fault of the server. */
const commonCodes: readonly Code[] = ['invalid', 'too_large', 'rate_limited', 'failed', 'unavailable']

/** The `failures` of an action that runs other actions, and can fail as they do. */
export const ofOtherActions: readonly Code[] = [
  'unknown_action',
  'not_found',
  'conflict',
  'exists',
  'in_use',
  'unprocessable',
  'refused',
  'unreachable',
]

/** Returns all codes that an action can fail with, in the order of `codes`. */
export function failuresOf(action: Action): readonly Code[] {
  const possible: ReadonlySet<Code> = new Set([
    ...commonCodes,
    ...(action.effect !== 'read' ? (['key_reused'] as const) : []),
    // The limits of a token may refuse the call.
    ...(action.touches === 'nothing' ? [] : (['refused'] as const)),
    ...(action.effect !== 'read' && action.revisioned ? (['conflict'] as const) : []),
    ...action.failures,
  ])
  return codes.filter((code) => possible.has(code))
}

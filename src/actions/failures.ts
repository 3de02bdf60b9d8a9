// With which codes an action can fail: those that its effect and options bring with them, and those that it declares itself.
// `unknown_action` and `malformed` are missing here: they tell of a call that reached no action.

import { type Code, codes } from '../failure.ts'
import type { Action } from './action.ts'

/** What every action can answer: for its arguments and options, the size of its answer, the rate limit, and a fault of the server. */
const ofEvery: readonly Code[] = ['invalid', 'too_large', 'rate_limited', 'failed', 'unavailable']

/** For `failures` of an action that runs others: it fails as they do. */
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

/** All codes that an action can fail with, in the order of `codes`. */
export function failuresOf(action: Action): readonly Code[] {
  const possible: ReadonlySet<Code> = new Set([
    ...ofEvery,
    ...(action.effect !== 'read' ? (['key_reused'] as const) : []),
    // The limits of a token refuse what they don't leave open.
    ...(action.touches === 'nothing' ? [] : (['refused'] as const)),
    ...(action.effect !== 'read' && action.revisioned ? (['conflict'] as const) : []),
    ...action.failures,
  ])
  return codes.filter((code) => possible.has(code))
}

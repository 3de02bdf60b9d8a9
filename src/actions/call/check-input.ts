// Checks the input of a call against the schema of its action, and against the caller's limits. Dispatch does this for each call,
// and a batch for each of its calls.

import type { Caller } from '../../identity/caller.ts'
import { checkLimits, isRefused, type Touches } from '../../identity/check-limits.ts'
import { type Action, callName } from './action.ts'
import type { Registry } from './registry.ts'
import { checkAgainst } from './validate.ts'

/**
 * @throws Failure `invalid` for an input that does not fit the schema; `refused` if the limits of the caller exclude the call, or
 * re-authentication is needed
 */
export function checkInput(caller: Caller, action: Action, input: Readonly<Record<string, unknown>>): void {
  checkAgainst(action.input, input, action.secrets)
  checkLimits(caller, touchesOf(action, input), callName(action), action.effect)
}

/** Returns what a call touches. @param input fits the schema of the action */
export const touchesOf = ({ touches }: Action, input: Readonly<Record<string, unknown>>): Touches =>
  typeof touches === 'string' ? touches : touches.by(input)

/** True if the caller's limits refuse an action with any input. */
export const isAlwaysRefused = (caller: Caller, { touches }: Action): boolean =>
  isRefused(caller, typeof touches === 'string' ? touches : touches.least)

/** True if a caller can only read: none of its actions writes, except for a batch, which runs the others. */
export const canOnlyRead = (registry: Registry, caller: Caller): boolean =>
  registry
    .visibleTo(caller)
    .every((one) => one.effect === 'read' || callName(one) === 'SVC_API.batch' || isAlwaysRefused(caller, one))

// Checks the input of a call against the schema of its action, and against the caller's limits. Dispatch does this for each call,
// and a batch for each of its calls.

import type { TObject } from 'typebox'
import type { Caller } from '../../identity/caller.ts'
import { checkLimits, isRefused, type Touches } from '../../identity/check-limits.ts'
import { type Action, callName, type Shown } from './action.ts'
import type { Registry } from './registry.ts'
import { checkAgainst } from './validate.ts'

/**
 * @param counts true for a dry run, which may leave `expect` out
 * @throws Failure `invalid` for an input that does not fit the schema; `refused` if the limits of the caller exclude the call, or
 * re-authentication is needed
 */
export function checkInput(caller: Caller, action: Action, input: Shown, counts = false): void {
  checkAgainst(counts ? withoutExpect(action.input) : action.input, input, action.secrets)
  checkLimits(caller, touchesOf(action, input), callName(action), action.effect)
}

const countingInputs = new WeakMap<TObject, TObject>()

/** Returns a schema that does not require `expect`, and otherwise is the same. */
function withoutExpect(schema: TObject): TObject {
  if (!schema.required?.includes('expect')) return schema
  const known = countingInputs.get(schema)
  if (known) return known
  const counting = { ...schema, required: schema.required.filter((name) => name !== 'expect') } as unknown as TObject
  countingInputs.set(schema, counting)
  return counting
}

/** Returns what a call touches. @param input fits the schema of the action */
export const touchesOf = ({ touches }: Action, input: Shown): Touches =>
  typeof touches === 'string' ? touches : touches.by(input)

/** True if the caller's limits refuse an action with any input. */
export const isAlwaysRefused = (caller: Caller, { touches }: Action): boolean =>
  isRefused(caller, typeof touches === 'string' ? touches : touches.least)

/** True if a caller can only read: none of its actions writes, except for a batch, which runs the others. */
export const canOnlyRead = (registry: Registry, caller: Caller): boolean =>
  registry
    .visibleTo(caller)
    .every((one) => one.effect === 'read' || callName(one) === 'SVC_API.batch' || isAlwaysRefused(caller, one))

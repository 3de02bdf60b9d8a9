// What every call is held to once its action is found: the schema of its input, then the limits of its caller. Dispatch holds each call to
// this, and a batch each of its calls.

import type { Caller } from '../identity/caller.ts'
import { checkLimits } from '../identity/check-limits.ts'
import { type Action, callName } from './action.ts'
import { holdSchema } from './validate.ts'

/** @throws Failure `invalid` for an input that does not fit, `refused` for a caller whose limits do not leave it this call */
export function holdInput(caller: Caller, action: Action, input: Readonly<Record<string, unknown>>): void {
  holdSchema(action.input, input, action.secrets)
  const { touches } = action
  checkLimits(caller, typeof touches === 'string' ? touches : touches.by(input), callName(action))
}

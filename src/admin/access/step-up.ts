// Predicts which calls need proof that the person is present (attack 128), from what their actions touch. The calls themselves are
// refused to a session without the proof (`identity/check-limits.ts`). page.ts then asks for it, so a page can't forget to ask.

import { touchesOf } from '../../actions/call/check-input.ts'
import { callName } from '../../actions/call/action.ts'
import { batch } from '../../actions/api/batch.ts'
import { callsIn } from '../../actions/api/batch-plan.ts'
import type { Registry } from '../../actions/call/registry.ts'
import { fits } from '../../actions/call/validate.ts'
import { asksForProof } from '../../identity/check-limits.ts'

const batchName = callName(batch)

/**
 * Returns true for a call that needs the proof because of what it touches. A batch needs it if one of its calls does. An unknown
 * action needs none.
 */
export function needsProof(registry: Registry, name: string, input: Readonly<Record<string, unknown>> = {}): boolean {
  if (name === batchName)
    return callsIn(input).some((call) => call.name !== batchName && needsProof(registry, call.name, call.input))
  const action = registry.find(name)
  if (!action) return false
  // If the answer depends on the input, an incomplete input decides nothing.
  const isKnown = typeof action.touches === 'string' || fits(action.input, input)
  return isKnown && asksForProof(touchesOf(action, input), action.effect)
}

/** Returns true if one of the calls of a proposal needs the proof. */
export const proposalNeedsProof = (registry: Registry, calls: readonly unknown[]): boolean =>
  needsProof(registry, batchName, { calls })

/**
 * Returns true if the console asks for the proof before a call. An empty batch shows the field too. So does a read whose answer
 * opens the whole site; that action's own page also requires the proof.
 */
export function needsProofInConsole(registry: Registry, name: string, input?: Readonly<Record<string, unknown>>): boolean {
  const action = registry.find(name)
  const opensSite = action?.effect === 'read' && action.opensSite === true
  return opensSite || (input === undefined && name === batchName) || needsProof(registry, name, input)
}

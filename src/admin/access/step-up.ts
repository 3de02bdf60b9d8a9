// Tells which calls need a proof that the person is there (attack 128), as far as a page can know it before it calls: by what their
// actions touch. The calls themselves are refused to a session without the proof (`identity/check-limits.ts`), and page.ts then
// asks for it, so a page can't forget to ask.

import { touchesOf } from '../../actions/check-input.ts'
import { callName } from '../../actions/action.ts'
import { batch } from '../../actions/classes/batch.ts'
import { callsIn } from '../../actions/classes/batch-plan.ts'
import type { Registry } from '../../actions/registry.ts'
import { fits } from '../../actions/validate.ts'
import { asksForProof } from '../../identity/check-limits.ts'

const batchName = callName(batch)

/** True for a call that needs the proof: by what it touches, and for a batch by what its calls touch. An unknown action needs none. */
export function needsProof(registry: Registry, name: string, input: Readonly<Record<string, unknown>> = {}): boolean {
  if (name === batchName)
    return callsIn(input).some((call) => call.name !== batchName && needsProof(registry, call.name, call.input))
  const action = registry.find(name)
  if (!action) return false
  // Where it depends on the input, an input that is not complete yet decides nothing.
  const isKnown = typeof action.touches === 'string' || fits(action.input, input)
  return isKnown && asksForProof(touchesOf(action, input), action.effect)
}

/** Whether one of the calls of a proposal needs the proof. */
export const proposalNeedsProof = (registry: Registry, calls: readonly unknown[]): boolean =>
  needsProof(registry, batchName, { calls })

/**
 * Whether the console asks for the proof before a call. A batch that nobody has filled in yet shows the field. So does a read whose answer opens the
 * whole site, which the page of its own shows only after the proof.
 */
export function needsProofInConsole(registry: Registry, name: string, input?: Readonly<Record<string, unknown>>): boolean {
  const action = registry.find(name)
  const opensSite = action?.effect === 'read' && action.opensSite === true
  return opensSite || (input === undefined && name === batchName) || needsProof(registry, name, input)
}

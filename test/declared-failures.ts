// Holds that an action fails with no code but those that it declares. Asked of every call that a test makes through `api()` of its site.

import assert from 'node:assert/strict'
import { type Code, codes } from '../src/base/failure.ts'

/** These come from the door: the call reached no action. */
const ofDoors: readonly Code[] = ['malformed', 'unknown_action', 'unavailable']

/** @throws AssertionError where the text is the failure of an action of the core that does not declare its code */
export async function checkDeclared(call: string, text: string): Promise<void> {
  const code = codeOf(text)
  const declared = code && (await declaredBy(call))
  if (!declared || ofDoors.includes(code)) return
  assert.ok(declared.includes(code), `${call} failed with ${code}, which its declaration does not name: ${text}`)
}

/** The code of an action's failure; undefined for anything else. */
function codeOf(text: string): Code | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly code?: unknown } }
    return codes.find((code) => code === error?.code)
  } catch {
    return undefined
  }
}

/** Loaded where it is needed: most tests see no failure. */
async function declaredBy(call: string): Promise<readonly Code[] | undefined> {
  const { allActions } = await import('../src/actions/all.ts')
  const { callName } = await import('../src/actions/call/action.ts')
  const { failuresOf } = await import('../src/actions/call/failures.ts')
  const action = allActions().find((one) => callName(one) === call)
  return action && failuresOf(action)
}

// A look at the site after an upgrade, by the new release: what it shows in another way than the release before.

import type { Places } from './places.ts'
import { runProgram } from './program.ts'

const input = { only: ['sections'], outside: false }

/** Returns sentences for the person who upgrades. A release that can't answer says nothing. */
export async function listShownOtherwise(places: Places, release: string): Promise<readonly string[]> {
  const { code, out } = await runProgram(places, release, ['call', 'SVC_Health.check', '--json-input', JSON.stringify(input)])
  return code === 0 ? sentencesIn(out) : []
}

function sentencesIn(text: string): readonly string[] {
  try {
    const { data } = JSON.parse(text) as { data: { items: readonly { state: string; message: string; fix: string | null }[] } }
    return data.items.filter(({ state }) => state === 'warning').map(({ message, fix }) => `${message} To list them: ${fix}`)
  } catch {
    // The release has another form of answers.
    return []
  }
}

// Which actions need a proof that the person is there (attack 128): those that destroy for ever or reach beyond the site, and those that give access or
// rights. `run` of page.ts refuses such an action to a session without the proof, so a page can't forget to ask.

import { callsIn } from '../../actions/classes/batch.ts'
import type { Registry } from '../../actions/registry.ts'

const batchName = 'SVC_API.batch'

/** Actions that give access or rights, although what they do can be taken back. */
const givesAccess: ReadonlySet<string> = new Set([
  'SVC_Accounts.create',
  'SVC_Accounts.update',
  'SVC_Plugins.activate',
  'SVC_Plugins.install',
  'SVC_Plugins.update',
  'SVC_Tokens.create',
])

/** Actions with the effect `act` or `destroy` that need no proof, and why. */
export const withoutProof: ReadonlySet<string> = new Set([
  'SVC_Activity.mark', // It is a line in the list of changes.
  'SVC_Apps.revoke', // It takes access away, and has to be quick.
  'SVC_Apps.update', // It only tightens limits.
  'SVC_Content.end-preview', // It takes something from strangers, and has to be quick.
  'SVC_Content.preview', // Its link ends by itself, and by hand.
  'SVC_Health.clear-caches', // Caches fill again.
  'SVC_Jobs.cancel', // What a job had not finished is rolled back.
  'SVC_Jobs.retry', // The page asks where the call that it repeats needs the proof.
  'SVC_Media.begin-upload', // Its link takes one file.
  'SVC_Proposals.create', // An admin decides on it.
  'SVC_Proposals.reject', // Nothing is changed.
  'SVC_Search.reindex', // The index is made from what is stored.
  'SVC_Settings.maintenance', // The same page opens the site again.
  'SVC_Themes.preview', // Its link ends by itself, and by hand.
  'SVC_Tokens.revoke', // It takes access away, and has to be quick.
  'SVC_Tokens.update', // It only tightens limits.
])

/** Actions that run other calls, or show a link to the whole site. Pages ask by what these would do; the console does not know it, and always asks. */
const asksInConsole: ReadonlySet<string> = new Set(['SVC_Backup.get', 'SVC_Jobs.retry', 'SVC_Proposals.approve'])

/** Whether a call needs the proof: by its action, and for a batch by the actions in it. An unknown action needs none. */
export function needsProof(registry: Registry, name: string, input: Readonly<Record<string, unknown>> = {}): boolean {
  if (name === batchName) return callsIn(input).some((call) => call.name !== batchName && needsProof(registry, call.name))
  const effect = registry.find(name)?.effect
  return givesAccess.has(name) || ((effect === 'act' || effect === 'destroy') && !withoutProof.has(name))
}

/** Whether one of the calls of a proposal needs the proof. */
export const proposalNeedsProof = (registry: Registry, calls: readonly unknown[]): boolean =>
  needsProof(registry, batchName, { calls })

/** Whether the console asks for the proof before a call. A batch that nobody has filled in yet shows the field. */
export const needsProofInConsole = (registry: Registry, name: string, input?: Readonly<Record<string, unknown>>): boolean =>
  asksInConsole.has(name) || (input === undefined && name === batchName) || needsProof(registry, name, input)

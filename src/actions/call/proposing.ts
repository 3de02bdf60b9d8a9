// Turns a call that needs an approval into a proposal. The call runs as a dry run, so that its failures are reported at once. It is
// stored with the changes that it would make.

import { cutDiff } from '../../activity/diff.ts'
import { Failure } from '../../base/failure.ts'
import { type Caller, limitsOf, nameOf as nameOfCaller, type Tier, tiers } from '../../identity/caller.ts'
import { coversPattern } from '../../identity/token-limits.ts'
import { jsonText } from '../../base/json.ts'
import type { RowChange } from '../../store/change/change.ts'
import { newId } from '../../store/core/ids.ts'
import { kinds } from '../../store/change/kinds.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { type Action, callName, clauseOf, type Shown, storable } from './action.ts'
import type { Call, Outcome } from './call.ts'
import { type BatchCall, callsIn, maxProposedCalls, nameOf } from '../api/batch-plan.ts'
import { escapeReferences, nothingThere, placesIn, resolveReferences } from '../api/batch-references.ts'
import { hashOfCalls, noTouches, type ProposalTouches, touchedBy, withFirstIds, withStep } from './proposal-touches.ts'
import { digestOf, type ProposedChange, proposedChanges } from './proposed-changes.ts'
import { asProposing, rightsOf } from './proposer.ts'
import type { Registry } from './registry.ts'
import type { Services, StoreServices } from './services.ts'

/** True if a call waits for an admin, because a limit of its caller requires approval. */
export function needsApproval(registry: Registry, caller: Caller, action: Action, { input, options }: Call): boolean {
  const limits = limitsOf(caller)
  if (limits.length === 0 || action.effect === 'read' || options.dryRun === true) return false
  const asks = (name: string) => limits.some(({ ask }) => ask?.some((pattern) => coversPattern(pattern, name)))
  if ([callName(action), ...runsOf(action, input)].some(asks)) return true
  if (action.touches !== 'calls' && action.touches !== 'outside') return false
  const calls = callsIn(input)
  // Any other action that runs or undoes calls waits if any action does, because its calls aren't known yet.
  const names = ({ name, input: given }: Call) => [name, ...runsOf(registry.find(name), given)]
  return calls.length > 0 ? calls.flatMap(names).some(asks) : limits.some(({ ask }) => ask !== undefined)
}

/** The other actions that a call may run. The input of a call in a batch is not validated yet. */
const runsOf = (action: Action | undefined, input: Shown): readonly string[] =>
  action === undefined || action.effect === 'read' ? [] : (action.runs?.(input) ?? [])

/** Runs a call as a dry run, and reports its changes and its time. */
export type Try = (
  caller: Caller,
  call: Call,
  onTried: (changes: readonly RowChange[], now: number) => void,
) => Promise<Outcome> | Outcome

/** The parts of a proposal that the proposer gives. */
interface Proposed {
  /** The default is made from the first call's action and object. */
  readonly title?: string
  readonly note?: string | undefined
  readonly calls: readonly BatchCall[]
  /** Set for calls of which some joined a proposal: what that proposal touched, and the others with their places. */
  readonly joined?: { readonly touches: ProposalTouches; readonly hash: string; readonly places: readonly number[] } | undefined
}

/** The longest stored calls, in characters of JSON. */
const maxCallsChars = 1024 * 1024

/** Returns a call as one of several. */
export const asBatchCall = ({ name, input, options }: Call): BatchCall => ({
  action: name,
  arguments: escapeReferences(input) as Call['input'],
  ...(options.ifRevision === undefined ? {} : { if_revision: options.ifRevision }),
})

/** Makes one call of several: the call itself, or a batch. */
const asOneCall = ([first, ...others]: readonly BatchCall[]): Call =>
  first && others.length === 0
    ? {
        name: nameOf(first),
        input: resolveReferences(first.arguments ?? {}, []) as Call['input'],
        options: { ifRevision: first.if_revision },
      }
    : { name: 'SVC_API.batch', input: { calls: first ? [first, ...others] : [] }, options: {} }

/** Returns the first clause of a proposal's title: that of the first action's summary, or the name of an unknown action. */
export function proposalClause(registry: Registry, name: string): string {
  const action = registry.find(name)
  return action ? clauseOf(action.summary) : name
}

/** Returns the title of a proposal whose proposer gave none. */
export function titleOf(registry: Registry, calls: readonly BatchCall[], changes: readonly RowChange[]): string {
  const [first] = calls
  const name = first ? nameOf(first) : ''
  const given = first?.arguments ?? {}
  const changed = changes.find(({ label }) => label !== undefined && label.title !== '')?.label?.title
  const about = given['title'] ?? changed ?? given['id'] ?? given['path'] ?? given['slug']
  const more = calls.length > 1 ? `, and ${calls.length - 1} more` : ''
  return `${proposalClause(registry, name)}${typeof about === 'string' ? `: ${about.slice(0, 200)}` : ''}${more}`.toWellFormed()
}

/** True for a title that was made from the first call. */
export function isMadeTitle(registry: Registry, title: string, [first]: readonly BatchCall[]): boolean {
  const clause = proposalClause(registry, first ? nameOf(first) : '')
  return title === clause || title.startsWith(`${clause}: `) || title.startsWith(`${clause}, and `)
}

/** A proposal before it is stored. */
export type NewProposal = Omit<ProposalRow, 'created_at' | 'updated_at' | 'revision'>

/**
 * Tries calls, and makes a proposal of them.
 * @throws Failure with the failure of the calls; `refused` for calls that can't wait
 */
export async function draftProposal(
  site: Services,
  caller: Caller,
  { title, note, calls, joined }: Proposed,
  tryCall: Try,
): Promise<NewProposal> {
  if (calls.length > maxProposedCalls) throw tooManyCalls(calls.length)
  for (const call of calls) checkCanWait(site.registry, call)
  if (!joined) await checkRoom(site, caller)
  if (calls.length === 1) checkNoReferences(calls[0]?.arguments)
  const { records, changes, results } = await tryCalls(caller.account?.id ?? null, calls, (call, onTried) =>
    tryCall(asProposing(caller), call, onTried),
  )
  checkTargets(site.registry, calls, records)
  const { touches = noTouches, hash = hashOfCalls(calls), places = [...calls.keys()] } = joined ?? {}
  const objects = touchedBy(records, results, touches.objects)
  const { diff } = cutDiff(records, 'SVC_Proposals.get tries the calls anew.')
  return {
    id: newId(site.clock.now()),
    title: title ?? titleOf(site.registry, calls, records),
    note: note ?? null,
    calls: jsonText(calls),
    tier: tierOf(site.registry, calls),
    diff: withFirstIds(jsonText(diff), touches.objects, touchedBy(records, results)),
    expects: jsonText(expectsOf(records)),
    changes: jsonText(changes),
    digest: digestOf(changes),
    proposer: jsonText(rightsOf(caller)),
    touches: jsonText(withStep(touches, objects, hash, places)),
    account_id: caller.account?.id ?? null,
    token_id: caller.token?.id ?? null,
    by_name: nameOfCaller(caller),
    token_name: caller.token?.name ?? null,
    owner: null,
    key: null,
    replaces: null,
    state: 'waiting',
    decided_by: null,
    decided_at: null,
    answer: null,
  }
}

/** The changes of a dry run, as rows and in the form in which approvals compare them. */
export interface Tried {
  readonly records: readonly RowChange[]
  readonly changes: readonly ProposedChange[]
  /** The results of the calls, by place. */
  readonly results: readonly unknown[]
}

/** @param accountId the account as which the calls are tried @throws Failure with the failure of the calls */
export async function tryCalls(
  accountId: string | null,
  calls: readonly BatchCall[],
  tryCall: (call: Call, onTried: (changes: readonly RowChange[], now: number) => void) => Promise<Outcome> | Outcome,
): Promise<Tried> {
  const one = asOneCall(calls)
  let tried: Omit<Tried, 'results'> = { records: [], changes: [] }
  const outcome = await tryCall({ ...one, options: { ...one.options, dryRun: true } }, (records, now) => {
    tried = { records, changes: proposedChanges(records, { calls, now, accountId }) }
  })
  if (!outcome.ok) throw outcome.failure
  const answer = outcome.data.parse() as { readonly results?: readonly unknown[] }
  return { ...tried, results: calls.length === 1 ? [answer] : (answer.results ?? []) }
}

const tooManyCalls = (count: number): Failure =>
  new Failure('refused', `A proposal has at most ${maxProposedCalls} calls, and these are ${count}.`, {
    rule: 'a person reads each call of a proposal',
    hint: `Make several batches of at most ${maxProposedCalls} calls: each waits as a proposal of its own.`,
  })

/** A single call has no earlier calls to refer to. @throws Failure `invalid` */
function checkNoReferences(given: BatchCall['arguments']): void {
  const [place] = placesIn(given)
  if (place !== undefined) throw nothingThere(`$${place}`)
}

/**
 * Checks that the proposal shows every target. Changes of rows are compared before an approval commits; for other effects, the call
 * itself must name the target.
 * @throws Failure `refused` for a call that changes no rows and takes its target from an earlier result
 */
function checkTargets(registry: Registry, calls: readonly BatchCall[], records: readonly RowChange[]): void {
  const changing = new Set(records.map(({ place = 0 }) => place))
  for (const [place, call] of calls.entries()) {
    const effect = registry.find(nameOf(call))?.effect
    if (effect === 'read' || effect === 'write' || changing.has(place) || placesIn(call.arguments).length === 0) continue
    throw new Failure('refused', `${nameOf(call)} can't wait for an approval with a reference to another result.`, {
      field: `calls.${place}`,
      rule: 'a call that changes no rows names what it is about',
      hint: 'Give the id itself instead of the reference.',
    })
  }
}

/** The limit of waiting proposals per caller. */
const maxWaiting = 1000

/** @throws Failure `refused` if the caller has too many waiting proposals */
async function checkRoom({ store }: StoreServices, { token, account }: Caller): Promise<void> {
  const { waiting } = await store.read
    .selectFrom('proposal')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('state', '=', 'waiting')
    .where(token ? 'token_id' : 'account_id', '=', token?.id ?? account?.id ?? '')
    .executeTakeFirstOrThrow()
  if (waiting < maxWaiting) return
  throw new Failure('refused', `You already have ${maxWaiting} proposals waiting.`, {
    rule: `at most ${maxWaiting} waiting proposals of one caller`,
    hint: 'Wait until an admin has decided on some of them.',
  })
}

/** @throws Failure `refused` for a call that can't be stored, or that can't run in the transaction of an approval */
function checkCanWait(registry: Registry, call: BatchCall): void {
  const action = registry.find(nameOf(call))
  if (!action) return
  const { arguments: input = {} } = call
  const isSecret = JSON.stringify(storable(registry, action, input, {}).input) !== JSON.stringify(input)
  const isOutside = action.effect !== 'read' && action.outside === true
  // The rules of batches apply to approvals too, except that a call on its own may destroy.
  const isOutOfBatches = action.batchable === false && action.effect !== 'destroy'
  const isUpload = input['upload_id'] !== undefined && 'upload_id' in action.input.properties
  const isLong = action.job === true || jsonText(input).length > maxCallsChars
  if (!isSecret && !isOutside && !isOutOfBatches && !isUpload && !isLong) return
  throw new Failure('refused', `${callName(action)} can't wait for an approval.`, {
    rule: 'calls with secrets, uploaded or long files, work that outlasts a call, and calls that go into no batch are not stored as proposals',
    hint: isUpload ? 'An upload is kept for an hour. Give a file of up to 700 KB in `base64`.' : 'Ask an admin to do this.',
  })
}

function tierOf(registry: Registry, calls: readonly BatchCall[]): Tier {
  const found = calls.map((call) => registry.find(nameOf(call))?.tier ?? 'admin')
  return tiers.findLast((tier) => found.includes(tier)) ?? 'admin'
}

/** An object that existed when its change was proposed. */
export interface Expected {
  readonly kind: RowChange['kind']
  readonly id: string
  readonly revision: number
}

/** Returns the revisions of the changed objects before the change. */
function expectsOf(changes: readonly RowChange[]): readonly Expected[] {
  const first = new Map<string, Expected>()
  const made = new Set<string>()
  for (const { kind: changed, id, before, revision } of changes) {
    // A change of staged changes counts as a revision of the entry.
    const kind = changed === 'entry_pending' ? 'entry' : changed
    const key = `${kind} ${id}`
    if (changed !== kind && revision === null) continue
    if (before === null && changed === kind) made.add(key)
    if (made.has(key) || first.has(key) || !kinds[kind].revisioned) continue
    first.set(key, { kind, id, revision: revision === null ? Number(before?.['revision']) : revision - 1 })
  }
  return [...first.values()]
}

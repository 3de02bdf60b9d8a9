// Makes a call wait that needs an approval: as a proposal, or as a part of one of its caller's that already waits. An approval
// runs the calls in order as one.

import { Failure } from '../../base/failure.ts'
import { JsonText, jsonText } from '../../base/json.ts'
import { type Caller, limitsOf, ownerOf } from '../../identity/caller.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { type BatchCall, storableCall } from '../api/batch-plan.ts'
import { movedSince } from '../proposals/proposal-item.ts'
import type { Action, Context } from './action.ts'
import type { Call } from './call.ts'
import { type Commit, commit, recordChange } from './commit.ts'
import { findReplay, type Keyed, rememberAnswer } from './idempotency.ts'
import {
  chooseProposal,
  findWaiting,
  hasMoved,
  namesMade,
  joinCalls,
  type Joined,
  joinedRights,
  type WaitingProposal,
} from './join-proposal.ts'
import { hashOfCalls, idOf, isSameAgain, readTouches } from './proposal-touches.ts'
import { asBatchCall, draftProposal, type Expected, isMadeTitle, type NewProposal, type Try } from './proposing.ts'
import { rightsOf } from './proposer.ts'
import type { Services } from './services.ts'
import { proposalWaits } from './waits.ts'

type Proposing = Pick<Context, 'site' | 'caller' | 'origin'>

/** True if a call of this caller may be about an object of its proposals: it writes, and some calls of its caller wait. */
export function mayConcernProposed(caller: Caller, { effect }: Action, { options }: Call): boolean {
  if (effect === 'read' || options.dryRun === true || caller.proposal) return false
  return limitsOf(caller).some(({ ask }) => ask !== undefined)
}

/** True if a call has the id of an object that only exists in a waiting proposal of its caller. */
export async function concernsProposed({ store }: Services, caller: Caller, call: Call): Promise<boolean> {
  const waiting = await findWaiting(store.read, caller)
  return waiting.some(({ touches }) => namesMade([asBatchCall(call)], touches))
}

/** The most trials of a call, which is tried again if another call of the same caller was faster. */
const maxTries = 20

/**
 * Stores a call as a proposal instead of running it. A further change of an object that waits joins its proposal, and so does a
 * call on an object that only exists in one. The same call again gets the answer of the one that waits.
 * @returns the answer `{pending: true, waits, proposal, diff}`
 * @throws Failure with the failure of the call; `refused` for a call that can't wait; `key_reused`; `unavailable` if other calls of
 * the caller keep changing the proposal
 */
export async function propose(proposing: Proposing, call: Call, tryCall: Try): Promise<JsonText> {
  const { site, caller } = proposing
  const isBatch = call.name === 'SVC_API.batch'
  const calls = isBatch ? (call.input['calls'] as readonly BatchCall[]) : [asBatchCall(call)]
  const { idempotencyKey: key } = call.options
  const keyed = key === undefined ? undefined : { owner: ownerOf(caller), key, call, now: site.clock.now() }
  // This comes before the calls are tried: the approval of the earlier proposal may have made them impossible.
  const earlier = keyed && (await site.store.transaction((db) => findReplay(db, keyed)))
  if (earlier) return earlier
  for (let tries = 0; tries < maxTries; tries++) {
    const plan = await planProposal(proposing, calls, tryCall)
    const answer = await storePlan(proposing, plan, keyed)
    if (answer) return answer
  }
  throw new Failure('unavailable', 'Other calls of this client change the same proposal all the time.', { retry_after: 1 })
}

/** The proposal to store. */
interface Plan {
  /** The caller's waiting proposals when it was made. */
  readonly seen: readonly WaitingProposal[]
  /** The proposal that the calls join, or that has them already. */
  readonly chosen?: ProposalRow | undefined
  /** The proposal as it becomes; undefined if it has the calls already. */
  readonly draft?: NewProposal
  /** The hash of the calls, and the keys of the objects that they change. */
  readonly hash: string
  readonly keys: ReadonlySet<string>
}

async function planProposal({ site, caller, origin }: Proposing, calls: readonly BatchCall[], tryCall: Try): Promise<Plan> {
  const db = site.store.read
  const seen = await findWaiting(db, caller)
  const hash = hashOfCalls(calls)
  const common = { seen, hash, keys: new Set<string>() }
  const again = seen.find(({ touches }) => isSameAgain(touches, hash))
  const repeated = again && (await findRow(site, again))
  if (repeated && (await movedSince(db, JSON.parse(repeated.expects) as Expected[])).length === 0)
    return { ...common, chosen: repeated }
  const alone = await attempt(draftProposal(site, caller, { calls }, tryCall))
  const keys = alone instanceof Failure ? undefined : new Set(readTouches(alone.touches).objects.map(({ key }) => key))
  const target = again ?? chooseProposal(seen, calls, keys)
  const chosen = target && (target === again ? repeated : await findRow(site, target))
  if (target && !chosen) return planProposal({ site, caller, origin }, calls, tryCall)
  const joining = { site, caller, calls: target === again ? [] : calls, hash, tryCall }
  const joined = chosen && (await draftJoined(joining, chosen, alone))
  if (joined) return { ...common, keys: keysOf(joined), chosen, draft: joined }
  if (alone instanceof Failure) throw alone
  return { ...common, keys: keysOf(alone), draft: alone }
}

const keysOf = ({ touches }: NewProposal): ReadonlySet<string> => new Set(readTouches(touches).objects.map(({ key }) => key))

const findRow = ({ store }: Services, { id, revision }: WaitingProposal): Promise<ProposalRow | undefined> =>
  store.read.selectFrom('proposal').selectAll().where('id', '=', id).where('revision', '=', revision).executeTakeFirst()

async function attempt(drafting: Promise<NewProposal>): Promise<NewProposal | Failure> {
  try {
    return await drafting
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
}

interface Joining {
  readonly site: Services
  readonly caller: Caller
  /** The further calls; none to try the proposal anew. */
  readonly calls: readonly BatchCall[]
  readonly hash: string
  readonly tryCall: Try
}

/**
 * Tries the calls of a proposal with further ones.
 * @param alone the further calls by themselves, or their failure
 * @returns undefined if they have to stand alone, because the proposal is out of date or they go into no batch
 * @throws Failure of the further calls after those of the proposal
 */
async function draftJoined(
  { site, caller, calls, hash, tryCall }: Joining,
  row: ProposalRow,
  alone: NewProposal | Failure,
): Promise<NewProposal | undefined> {
  const first = JSON.parse(row.calls) as readonly BatchCall[]
  const touches = readTouches(row.touches)
  const isChecked = !(alone instanceof Failure)
  const joined = joinCalls(site.registry, first, calls, { objects: touches.objects, isChecked })
  if (!joined) return undefined
  const title = isMadeTitle(site.registry, row.title, first) ? {} : { title: row.title }
  const given = { ...title, note: row.note, calls: joined.calls, joined: { touches, hash, places: joined.places } }
  const draft = await attempt(draftProposal(site, caller, { ...given, note: row.note ?? undefined }, tryCall))
  if (!(draft instanceof Failure)) return { ...draft, proposer: joinedRights(row.proposer, { ...rightsOf(caller) }) }
  if (!isOfFurther(draft, first, joined) || isBatchRule(draft)) return undefined
  const expects = JSON.parse(row.expects) as Expected[]
  if (isChecked && (await movedSince(site.store.read, expects)).length > 0) return undefined
  throw ownFailure(draft, row.id, first[placeOf(draft)])
}

/** Returns the place of the call that failed. The failure of a single call has none. */
const placeOf = ({ detail }: Failure): number => Number(/^calls\.(\d+)/.exec(detail.field ?? '')?.[1] ?? 0)

const countEdits = (call: BatchCall | undefined): number => [call?.arguments?.['edits'] ?? []].flat().length

/** True if a further call failed, rather than one that waits or the part of it with which the further one was combined. */
function isOfFurther(failure: Failure, first: readonly BatchCall[], { calls, places }: Joined): boolean {
  const { field = '' } = failure.detail
  const place = placeOf(failure)
  if (!places.includes(place) || (calls.length > 1 && !field.startsWith('calls.'))) return false
  const edit = /\bedits\.(\d+)/.exec(field)?.[1]
  return place >= first.length || (edit !== undefined && Number(edit) >= countEdits(first[place]))
}

/** True for a call that goes into no batch, or that waits for the result of one that runs later there. */
const isBatchRule = ({ detail }: Failure): boolean => typeof detail.rule === 'string' && detail.rule.startsWith('a batch ')

/**
 * Returns the failure of a further call without its place, which its caller does not know.
 * @param id the id of the proposal
 * @param earlier the call with which it was combined, whose edits come first
 */
function ownFailure({ code, message, detail }: Failure, id: string, earlier: BatchCall | undefined): Failure {
  const { field = '', ...rest } = detail
  const own = field
    .replace(/^calls\.\d+\.?(?:arguments\.)?/, '')
    .replace(/^edits\.(\d+)/, (_, at) => `edits.${Math.max(0, Number(at) - countEdits(earlier))}`)
  const hint = `This call is tried after those that wait in your proposal: SVC_Proposals.get {"id": "${id}"} shows what they change.`
  return new Failure(code, message, { ...rest, ...(own !== '' && { field: own }), hint })
}

/**
 * Stores a plan with its record, and its answer under the idempotency key of the call.
 * @returns undefined if another call was faster, of the caller or of somebody who changed what the calls change
 */
function storePlan(proposing: Proposing, plan: Plan, keyed: Keyed | undefined): Promise<JsonText | undefined> {
  const { site, caller } = proposing
  const { seen, chosen, draft, hash, keys } = plan
  return commit(site, 'SVC_Proposals.create', async (open) => {
    const earlier = keyed && (await findReplay(open.db, keyed))
    if (earlier) return earlier
    if (hasMoved(await findWaiting(open.db, caller), seen, { chosen: chosen?.id, keys, hash })) return undefined
    const expects = JSON.parse((draft ?? chosen)?.expects ?? '[]') as Expected[]
    if ((await movedSince(open.db, expects)).length > 0) return undefined
    const row = await writePlan(proposing, open, plan)
    const answer = pendingAnswer(proposing, row, chosen !== undefined)
    if (keyed) rememberAnswer(open.db, { ...keyed, answer })
    return new JsonText(jsonText(answer))
  })
}

async function writePlan({ site, caller }: Proposing, open: Commit, { chosen, draft }: Plan): Promise<ProposalRow> {
  if (!draft) return chosen as ProposalRow
  const calls = JSON.parse(draft.calls) as readonly BatchCall[]
  const input = { title: draft.title, calls: calls.map((given) => storableCall(site.registry, given).call) }
  const facts = { caller, call: 'SVC_Proposals.create', effect: 'act', input, now: site.clock.now() } as const
  if (!chosen)
    return recordChange(open, { ...facts, summary: 'Proposes calls, which wait for an admin.' }, (change) =>
      change.insert('proposal', draft),
    )
  const { title, calls: all, tier, diff, expects, changes, digest, proposer, touches } = draft
  const patch = { title, calls: all, tier, diff, expects, changes, digest, proposer, touches }
  return recordChange(open, { ...facts, summary: 'Adds calls to a proposal, which waits for an admin.' }, async (change) => {
    const { row } = await change.update('proposal', chosen, patch)
    return row
  })
}

/** @param isJoined true if the calls joined a proposal that already waited */
function pendingAnswer(proposing: Proposing, row: ProposalRow, isJoined: boolean) {
  const { id, title, diff, calls, touches } = row
  const made = readTouches(touches).objects.filter((one) => one.made !== undefined)
  return {
    pending: true,
    waits: proposalWaits(proposing, id),
    proposal: {
      id,
      title,
      state: 'waiting',
      calls: (JSON.parse(calls) as readonly unknown[]).length,
      joined: isJoined,
      // Further calls may name these, although they only exist in the proposal.
      ...(made.length > 0 && {
        makes: made.slice(0, maxMade).map((one) => ({ id: idOf(one), title: one.title, path: one.path })),
      }),
      next: `SVC_Proposals.get with {"id": "${id}"}`,
    },
    diff: JSON.parse(diff) as unknown,
  }
}

/** The most new objects in an answer. */
const maxMade = 20

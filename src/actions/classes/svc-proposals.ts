// SVC_Proposals: calls that wait for an admin. A proposal is made by a call of its own, or by any call of a token whose limits say that it asks first.

import { Type } from 'typebox'
import { Failure } from '../../failure.ts'
import { type Caller, includesTier, nameOf as nameOfCaller, type Tier, tiers } from '../../identity/caller.ts'
import type { RowChange } from '../../store/change.ts'
import type { ProposalRow } from '../../store/schema.ts'
import { type Action, action, type Context, type WriteContext } from '../action.ts'
import { authorOf } from '../commit.ts'
import { dispatch } from '../dispatch.ts'
import { ofOtherActions } from '../failures.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows } from '../list.ts'
import { asOneCall, draftProposal, type Expected } from '../proposing.ts'
import { getVisible } from '../registry.ts'
import { writeProperties } from '../write-answer.ts'
import { maxCalls, oneCall, prepareCalls, runCalls } from './batch.ts'
import { callsOf, expectsOf, getProposal, leanItem, leanOf, movedSince, proposalList, wholeItem } from './proposal-item.ts'
import { type BatchCall, nameOf, planCall, type Planned } from './batch-plan.ts'

const list = action({
  class: 'SVC_Proposals',
  name: 'list',
  summary: 'Lists proposals: calls that wait for an admin, and those that one has decided on.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(listProperties(proposalList), { additionalProperties: false }),
  output: listOutput(leanItem),
  examples: [{ title: 'What waits', input: { where: { state: 'waiting' } } }],
  async run(context, input: ListInput) {
    const { tier, account, token } = context.caller
    const mine = tiers.filter((one) => includesTier(tier, one))
    const page = await listRows(context, proposalList, input, {
      narrow: (query) =>
        query.where((eb) =>
          eb.or([
            eb('proposal.tier', 'in', mine),
            eb('proposal.token_id', '=', token?.id ?? ''),
            eb('proposal.account_id', '=', account?.id ?? ''),
          ]),
        ),
    })
    return listAnswer(context, page, (row) => leanOf(row as ProposalRow))
  },
})

const idProperty = Type.String({ description: 'Id of a proposal, or the title of one that waits.', minLength: 1, maxLength: 300 })

const get = action({
  class: 'SVC_Proposals',
  name: 'get',
  summary: 'Shows a proposal with what its calls would change now.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: Type.Object({ id: idProperty }, { additionalProperties: false }),
  output: Type.Object({ item: wholeItem }),
  examples: [{ title: 'One by its id', input: { id: 'A page with our opening hours' } }],
  async run(context, { id }) {
    const row = await getProposal(context, id)
    const now = row.state === 'waiting' ? await tryAgain(context, row) : undefined
    const moved = row.state === 'waiting' ? await movedSince(context.db, expectsOf(row)) : []
    return {
      item: {
        ...leanOf(row),
        calls: [...callsOf(row)],
        diff: now?.diff ?? (JSON.parse(row.diff) as unknown[]),
        stale: moved.length > 0,
        problem: now?.problem ?? null,
      },
    }
  },
})

/** What the calls would change now, for a caller who may run them. Others are shown what was tried when they were proposed. */
async function tryAgain(
  { site, caller, origin, signal }: Context,
  row: ProposalRow,
): Promise<{ readonly diff?: unknown[]; readonly problem?: string } | undefined> {
  if (!includesTier(caller.tier, row.tier as Tier)) return undefined
  const call = asOneCall(callsOf(row))
  const tried = await dispatch(site, caller, { ...call, options: { ...call.options, dryRun: true } }, { origin, signal })
  if (!tried.ok) return { problem: tried.failure.message }
  return { diff: (tried.data.parse() as { diff?: unknown[] }).diff ?? [] }
}

const noteProperty = (description: string) => Type.Optional(Type.String({ description, maxLength: 2000 }))

const create = action({
  class: 'SVC_Proposals',
  name: 'create',
  summary: 'Proposes calls to an admin. They are tried and stored; the site stays as it is.',
  tier: 'content',
  effect: 'act',
  failures: ofOtherActions,
  touches: 'calls',
  batchable: false,
  input: Type.Object(
    {
      title: Type.String({ description: 'What the calls are for, in one line.', minLength: 1, maxLength: 300 }),
      calls: Type.Array(oneCall, { minItems: 1, maxItems: maxCalls, description: 'The calls, as for SVC_API.batch.' }),
      note: noteProperty('What the admin should know.'),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    item: leanItem,
    would_change: Type.Array(Type.Unknown(), { description: 'What the calls would change.' }),
    ...writeProperties,
  }),
  examples: [
    {
      title: 'Propose a new page',
      input: {
        title: 'A page with our opening hours',
        calls: [{ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Opening hours', status: 'published' } }],
      },
    },
  ],
  prepare({ site, caller, origin, signal }, { title, calls, note }) {
    const tryCall = (call: Parameters<typeof dispatch>[2], onTried: (changes: readonly RowChange[]) => void) =>
      dispatch(site, caller, call, { origin, signal, onTried })
    return draftProposal(site, caller, { title, note, calls }, tryCall)
  },
  async run({ change }, _input, draft) {
    const row = await change.insert('proposal', draft)
    return { item: leanOf(row), would_change: JSON.parse(row.diff) as unknown[], warnings: [], activity_id: null }
  },
})

/** One call alone may destroy; otherwise the rules are those of a batch. */
function planAlone(context: Context, before: readonly Planned[], call: BatchCall): Planned {
  const found = getVisible(context.site.registry, context.caller, nameOf(call))
  return found.effect === 'destroy' ? { call, action: found, phase: 'write' } : planCall(context, before, call)
}

const approve = action({
  class: 'SVC_Proposals',
  name: 'approve',
  summary: 'Runs the calls of a proposal as you, and closes it.',
  tier: 'admin',
  effect: 'write',
  failures: ofOtherActions,
  touches: 'unlimited',
  batchable: false,
  revisioned: true,
  input: Type.Object(
    {
      id: idProperty,
      only: Type.Optional(
        Type.Array(Type.Integer({ minimum: 0, maximum: maxCalls - 1 }), {
          minItems: 1,
          maxItems: maxCalls,
          description: 'Places of the calls to run, counted from 0. The others are not run.',
        }),
      ),
      note: noteProperty('What the proposer will read.'),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: leanItem, results: Type.Array(Type.Unknown()), ...writeProperties }),
  examples: [{ title: 'Let it happen', input: { id: 'A page with our opening hours' } }],
  async prepare(context, { id, only }) {
    const row = await getProposal(context, id)
    checkWaits(row)
    checkApprover(context.caller, row)
    const calls = chosen(callsOf(row), only)
    return { calls, prepared: await prepareCalls(context, calls, calls.length === 1 ? planAlone : planCall) }
  },
  async run(context, { id, note }, { calls, prepared }) {
    const row = await getProposal(context, id)
    checkWaits(row)
    checkApprover(context.caller, row)
    const moved = await movedSince(context.db, expectsOf(row))
    if (moved.length > 0) throw isStale(moved)
    const decided = await decide(context, row, 'approved', note)
    context.noteInput({ title: row.title, proposed_by: row.by_name, proposed_through: row.token_name })
    context.ran(approve)
    const results = await runCalls(context, calls, prepared, (caller, call) => {
      const author = authorOf(caller, call)
      return { ...author, name: `${author.name} (proposed by ${row.token_name ?? row.by_name})` }
    })
    return { item: leanOf(decided), results: [...results], warnings: [], activity_id: null }
  },
})

function chosen(calls: readonly BatchCall[], only: readonly number[] | undefined): readonly BatchCall[] {
  if (only === undefined) return calls
  const places = [...new Set(only)].sort((a, b) => a - b)
  const missing = places.find((place) => place >= calls.length)
  if (missing === undefined) return places.map((place) => calls[place] as BatchCall)
  throw new Failure('invalid', `The proposal has no call at place ${missing}.`, {
    field: 'only',
    expected: `places from 0 to ${calls.length - 1}`,
  })
}

function checkWaits({ state, decided_by: by }: ProposalRow): void {
  if (state === 'waiting') return
  throw new Failure('refused', `${by ?? 'Somebody'} has ${state} this proposal already.`, {
    rule: 'a proposal is decided on once',
    hint: state === 'approved' ? 'SVC_Activity.undo takes an approval back.' : 'Propose it again.',
  })
}

/** A token never approves what it proposed itself. */
function checkApprover({ token }: Caller, { token_id: proposer }: ProposalRow): void {
  if (token === null || proposer !== token.id) return
  throw new Failure('refused', 'The token that proposed this can not approve it.', {
    rule: 'nobody approves their own proposal through the same token',
    hint: 'A person can approve it in the admin.',
  })
}

const isStale = (moved: readonly (Expected & { readonly now: number | null })[]): Failure =>
  new Failure('conflict', 'What the calls change has changed since they were proposed. Nothing was done.', {
    changes: moved.slice(0, 20).map(({ kind, id, revision, now }) => ({ kind, id, proposed_at: revision, now })),
    hint: 'Reject the proposal, and have it proposed again.',
  })

const decide = async (
  { change, caller, now }: WriteContext,
  row: ProposalRow,
  state: 'approved' | 'rejected',
  note: string | undefined,
): Promise<ProposalRow> => {
  const patch = { state, decided_by: nameOfCaller(caller), decided_at: now, answer: note ?? null }
  return (await change.update('proposal', row, patch)).row
}

const reject = action({
  class: 'SVC_Proposals',
  name: 'reject',
  summary: 'Closes a proposal without running it. The proposer can read the note.',
  tier: 'content',
  effect: 'act',
  failures: ['not_found'],
  touches: 'calls',
  revisioned: true,
  input: Type.Object({ id: idProperty, note: noteProperty('Why, for the proposer to read.') }, { additionalProperties: false }),
  output: Type.Object({ item: leanItem, ...writeProperties }),
  examples: [{ title: 'Say why', input: { id: 'A page with our opening hours', note: 'We are closed on Mondays.' } }],
  async run(context, { id, note }) {
    const row = await getProposal(context, id)
    checkWaits(row)
    const decided = await decide(context, row, 'rejected', note)
    return { item: leanOf(decided), warnings: [], activity_id: null }
  },
})

export { list as proposalsList, get as proposalsGet, approve as proposalsApprove, reject as proposalsReject }

export const proposalActions: readonly Action[] = [list, get, create, approve, reject]

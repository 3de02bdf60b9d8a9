// SVC_Proposals: calls that wait for an admin. `create` makes a proposal, and so does any call that a token's limits subject to
// approval.

import { Type } from 'typebox'
import { cutDiff, wholeDiff } from '../../activity/diff.ts'
import { Failure } from '../../failure.ts'
import { includesTier, type Tier, tiers } from '../../identity/caller.ts'
import type { ProposalRow } from '../../store/schema.ts'
import { action, type Context } from '../action.ts'
import { dispatch } from '../dispatch.ts'
import { ofOtherActions } from '../failures.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows } from '../list.ts'
import { digestOf } from '../proposed-changes.ts'
import { findProposers, type Proposer } from '../proposer.ts'
import { draftProposal, tryCalls } from '../proposing.ts'
import { writeProperties } from '../write-answer.ts'
import { approve } from './approve-proposal.ts'
import { oneCall } from './batch.ts'
import { maxCalls } from './batch-plan.ts'
import { checkWaits, decide, idProperty, noteProperty } from './decide-proposal.ts'
import { callsOf, expectsOf, getProposal, leanItem, leanOf, movedSince, proposalList, wholeItem } from './proposal-item.ts'
import { closed } from '../../schema.ts'

export const list = action('SVC_Proposals.list', {
  title: 'List the proposals',
  summary: 'Lists proposals: calls that wait for an admin, and those that one has decided on.',
  tier: 'read',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(proposalList)),
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
    const proposerOf = await findProposers(context.db, waiting(page.rows as readonly ProposalRow[]), context.now)
    return listAnswer(context, page, (row) => leanOf(row as ProposalRow, isEnded(proposerOf, row as ProposalRow)))
  },
})

const waiting = (rows: readonly ProposalRow[]) => rows.filter(({ state }) => state === 'waiting')

/** The state of the proposer matters only while the proposal waits. */
const isEnded = (proposerOf: (row: ProposalRow) => Proposer, row: ProposalRow): boolean =>
  row.state === 'waiting' && proposerOf(row).ended

export const get = action('SVC_Proposals.get', {
  title: 'Show a proposal',
  summary: 'Shows a proposal with what its calls would change now.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  touches: 'nothing',
  input: closed({ id: idProperty }),
  output: Type.Object({ item: wholeItem }),
  examples: [{ title: 'One by its id', input: { id: 'A page with our opening hours' } }],
  async run(context, { id }) {
    const row = await getProposal(context, id)
    if (row.state !== 'waiting') return { item: { ...leanOf(row), ...standing, ...asShown(row) } }
    const proposer = (await findProposers(context.db, [row], context.now))(row)
    if (context.select?.every(isStored)) return { item: { ...leanOf(row, proposer.ended), ...standing, ...asShown(row) } }
    const seen = await tryAgain(context, row, proposer)
    const moved = await movedSince(context.db, expectsOf(row))
    const differs = row.digest !== null && typeof seen.digest === 'string' && seen.digest !== row.digest
    return {
      item: {
        ...leanOf(row, proposer.ended),
        ...standing,
        ...seen,
        proposed_diff: differs ? asShown(row).diff : null,
        stale: moved.length > 0 || differs,
      },
    }
  },
})

/** True for a field that a new trial of the calls can't change. */
const isStored = (field: string): boolean => Object.hasOwn(leanItem.properties, field)

const standing = { proposed_diff: null, stale: false, problem: null }

/** The members of a proposal as they were when it was made. */
const asShown = (row: ProposalRow) => ({
  calls: [...callsOf(row)],
  diff: JSON.parse(row.diff) as unknown[],
  digest: row.digest,
})

/**
 * Returns the changes that the calls would make now, if the caller may run them. Other callers get the changes from the time of the
 * proposal. On a page of the admin the diff is complete, because somebody decides there.
 */
async function tryAgain({ site, caller, origin, signal, longAnswer }: Context, row: ProposalRow, proposer: Proposer) {
  const shown = asShown(row)
  if (!includesTier(caller.tier, row.tier as Tier)) return shown
  const as = proposer.caller(caller)
  try {
    const { records, changes } = await tryCalls(as.account?.id ?? null, callsOf(row), (call, onTried) =>
      dispatch(site, as, call, { origin, signal, onTried }),
    )
    const { diff, ...cut } = (longAnswer === true ? wholeDiff : cutDiff)(records, 'The admin shows all of it under Approvals.')
    return { ...shown, diff: [...diff], ...cut, digest: digestOf(changes) }
  } catch (error) {
    if (error instanceof Failure) return { ...shown, digest: null, problem: error.message }
    throw error
  }
}

export const create = action('SVC_Proposals.create', {
  title: 'Propose [{title}|calls]',
  summary: 'Proposes calls to an admin. They are tried and stored; the site stays as it is.',
  did: 'proposed [{title}|calls]',
  tier: 'content',
  effect: 'act',
  failures: ofOtherActions,
  touches: 'calls',
  batchable: false,
  input: closed({
    title: Type.String({ description: 'What the calls are for, in one line.', minLength: 1, maxLength: 300 }),
    calls: Type.Array(oneCall, { minItems: 1, maxItems: maxCalls, description: 'The calls, as for SVC_API.batch.' }),
    note: noteProperty('What the admin should know.'),
  }),
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
    return draftProposal(site, caller, { title, note, calls }, (as, call, onTried) =>
      dispatch(site, as, call, { origin, signal, onTried }),
    )
  },
  async run({ change }, _input, draft) {
    const row = await change.insert('proposal', draft)
    return { item: leanOf(row), would_change: JSON.parse(row.diff) as unknown[], warnings: [], activity_id: null }
  },
})

export const reject = action('SVC_Proposals.reject', {
  title: 'Refuse [the proposal {title}|a proposal]',
  summary: 'Closes a proposal without running it. The proposer can read the note.',
  did: 'refused [the proposal {title}|a proposal]',
  tier: 'content',
  effect: 'act',
  failures: ['not_found'],
  touches: 'calls',
  revisioned: true,
  input: closed({ id: idProperty, note: noteProperty('Why, for the proposer to read.') }),
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

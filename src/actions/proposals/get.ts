import { Type } from 'typebox'
import { cutDiff, wholeDiff } from '../../activity/diff.ts'
import { Failure } from '../../base/failure.ts'
import { includesTier, type Tier } from '../../identity/caller.ts'
import { jsonText } from '../../base/json.ts'
import { closed } from '../../base/schema.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { dispatch } from '../call/dispatch.ts'
import { digestOf } from '../call/proposed-changes.ts'
import { readTouches, touchedBy, withFirstIds } from '../call/proposal-touches.ts'
import { findProposers, type Proposer } from '../call/proposer.ts'
import { tryCalls } from '../call/proposing.ts'
import { callsOf, expectsOf, getProposal, leanItem, leanOf, movedSince, stepsOf, wholeItem } from './proposal-item.ts'
import { idProperty } from './decide.ts'

export const get = action('SVC_Proposals.get', {
  title: 'Show a proposal',
  summary: 'Shows a proposal with what its calls would change now.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({ id: idProperty }),
  output: Type.Object({ item: wholeItem }),
  examples: [{ title: 'One by its id', input: { id: 'A page with our opening hours' } }],
  async run(context, { id }) {
    const row = await getProposal(context, id)
    if (row.state !== 'waiting') return { item: { ...leanOf(row), ...unchanged, ...asShown(row) } }
    const proposer = (await findProposers(context.db, [row], context.now))(row)
    if (context.select?.every(isStored)) return { item: { ...leanOf(row, proposer.ended), ...unchanged, ...asShown(row) } }
    const seen = await tryAgain(context, row, proposer)
    const moved = await movedSince(context.db, expectsOf(row))
    const differs = row.digest !== null && typeof seen.digest === 'string' && seen.digest !== row.digest
    return {
      item: {
        ...leanOf(row, proposer.ended),
        ...unchanged,
        ...seen,
        proposed_diff: differs ? asShown(row).diff : null,
        stale: moved.length > 0 || differs,
      },
    }
  },
})

/** True for a field that a new trial of the calls can't change. */
const isStored = (field: string): boolean => Object.hasOwn(leanItem.properties, field)

const unchanged = { proposed_diff: null, stale: false, problem: null }

/** The members of a proposal as they were when it was made. */
const asShown = (row: ProposalRow) => ({
  calls: [...callsOf(row)],
  steps: stepsOf(row),
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
    const { records, changes, results } = await tryCalls(as.account?.id ?? null, callsOf(row), (call, onTried) =>
      dispatch(site, as, call, { origin, signal, onTried }),
    )
    const { diff, ...cut } = (longAnswer === true ? wholeDiff : cutDiff)(records, 'The admin shows all of it under Approvals.')
    const known = JSON.parse(
      withFirstIds(jsonText(diff), readTouches(row.touches).objects, touchedBy(records, results)),
    ) as unknown[]
    return { ...shown, diff: known, ...cut, digest: digestOf(changes) }
  } catch (error) {
    if (error instanceof Failure) return { ...shown, digest: null, problem: error.message }
    throw error
  }
}

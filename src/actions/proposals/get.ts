import { Type } from 'typebox'
import { cutDiff, wholeDiff } from '../../activity/diff.ts'
import { Failure } from '../../base/failure.ts'
import { includesTier, type Tier } from '../../identity/caller.ts'
import { jsonText } from '../../base/json.ts'
import { closed } from '../../base/schema.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { action, type Context } from '../call/action.ts'
import { digestOf } from '../call/proposed-changes.ts'
import { readTouches, touchedBy, withFirstIds } from '../call/proposal-touches.ts'
import { findProposers, type Proposer } from '../call/proposer.ts'
import { callsOf, expectsOf, getProposal, leanItem, leanOf, movedSince, stepsOf, wholeItem } from './proposal-item.ts'
import { idProperty } from './decide.ts'
import { type PageItem, pageItemOf, proposedPages } from './proposed-pages.ts'
import { tryProposal } from './try-proposal.ts'

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
    if (row.state !== 'waiting') {
      const replacing = row.state === 'replaced' ? await findReplacing(context.db, row.id) : undefined
      return { item: { ...leanOf(row), ...unchanged, replaced_by: replacing ?? null, ...asShown(row) } }
    }
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

const unchanged = { replaced_by: null, proposed_diff: null, stale: false, problem: null }

/** The id of the proposal that was made of this one. */
async function findReplacing(db: Context['db'], id: string): Promise<string | undefined> {
  const query = db.selectFrom('proposal').select('id').where('replaces', '=', id)
  return (await query.executeTakeFirst())?.id
}

/** The members of a proposal as they were when it was made. */
const asShown = (row: ProposalRow) => ({
  calls: [...callsOf(row)],
  steps: stepsOf(row),
  diff: JSON.parse(row.diff) as unknown[],
  digest: row.digest,
})

/**
 * Returns the changes that the calls would make now, if the caller may run them. Other callers get the changes from the time of the
 * proposal. On a page of the admin the diff is complete, because somebody decides there, and the changed pages are listed.
 */
async function tryAgain(context: Context, row: ProposalRow, proposer: Proposer) {
  const shown = asShown(row)
  const { caller, longAnswer } = context
  if (!includesTier(caller.tier, row.tier as Tier)) return shown
  try {
    const { records, changes, results } = await tryProposal(context, row, proposer)
    const isWhole = longAnswer === true
    const { diff, ...cut } = (isWhole ? wholeDiff : cutDiff)(records, 'The admin shows all of it under Approvals.')
    const objects = readTouches(row.touches).objects
    const known = (value: unknown): unknown =>
      JSON.parse(withFirstIds(jsonText(value), objects, touchedBy(records, results))) as unknown
    const pages = isWhole ? { pages: known(proposedPages(records).map(pageItemOf)) as PageItem[] } : {}
    return { ...shown, diff: known(diff) as unknown[], ...cut, ...pages, digest: digestOf(changes) }
  } catch (error) {
    if (error instanceof Failure) return { ...shown, digest: null, problem: error.message }
    throw error
  }
}

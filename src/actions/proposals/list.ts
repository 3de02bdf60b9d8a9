import { includesTier, tiers } from '../../identity/caller.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import { listAction } from '../shared/list-action.ts'
import { findProposers } from '../call/proposer.ts'
import { leanItem, leanOf, proposalList } from './proposal-item.ts'

export const list = listAction('SVC_Proposals.list', {
  title: 'List the proposals',
  summary: 'Lists proposals: calls that wait for an admin, and those that one has decided on.',
  tier: 'read',
  examples: [{ title: 'What waits', input: { where: { state: 'waiting' } } }],
  list: proposalList,
  options({ caller: { tier, account, token } }) {
    const mine = tiers.filter((one) => includesTier(tier, one))
    return {
      narrow: (query) =>
        query.where((eb) =>
          eb.or([
            eb('proposal.tier', 'in', mine),
            eb('proposal.token_id', '=', token?.id ?? ''),
            eb('proposal.account_id', '=', account?.id ?? ''),
          ]),
        ),
    }
  },
  item: leanItem,
  async items({ db, now }, rows) {
    // The state of the proposer matters only while the proposal waits.
    const waits = ({ state }: ProposalRow) => state === 'waiting'
    const proposerOf = await findProposers(db, rows.filter(waits), now)
    return (row) => leanOf(row, waits(row) && proposerOf(row).ended)
  },
})

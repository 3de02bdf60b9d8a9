// Opens a waiting proposal for somebody who decides on it, and finds whose work it is.

import type { RecordAuthor } from '../../activity/record.ts'
import { Failure } from '../../base/failure.ts'
import type { Caller } from '../../identity/caller.ts'
import type { Db } from '../../store/core/database.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import type { Context } from '../call/action.ts'
import { findProposers, type Proposer } from '../call/proposer.ts'
import { checkWaits } from './decide.ts'
import { getProposal } from './proposal-item.ts'

/** Returns a waiting proposal that the caller may approve, and the caller that its calls run as. @throws Failure */
export async function openApproval(
  context: Context,
  id: string,
): Promise<{ readonly row: ProposalRow; readonly caller: Caller }> {
  const row = await getProposal(context, id)
  checkWaits(row)
  const proposer = (await findProposers(context.db, [row], context.now))(row)
  checkApprover(context.caller, row, proposer)
  return { row, caller: proposer.caller(context.caller) }
}

/** Checks the approver. A token never approves its own proposals. Only a person approves a proposal whose proposer has ended. */
function checkApprover({ token, plugin, door }: Caller, { token_id: proposer }: ProposalRow, { ended }: Proposer): void {
  if (token !== null && proposer === token.id)
    throw new Failure('refused', 'The token that proposed this cannot approve it.', {
      rule: 'nobody approves their own proposal through the same token',
      hint: 'A person can approve it in the admin.',
    })
  if (ended && (door !== 'admin' || token !== null || plugin))
    throw new Failure('refused', 'The token, app or account that proposed this has ended, so only a person can approve it.', {
      rule: 'a proposal whose proposer has ended is approved in the admin',
      hint: 'Approve it in the admin, or reject it.',
    })
}

/** The longest chain of proposals that were made of one another. */
const maxChain = 100

/**
 * Returns the proposer of a proposal; of one that somebody made of another, the proposer of the first. Its work stays under that
 * name, so that whoever undoes the work of an assistant finds all of it.
 */
export async function firstProposer(db: Db, row: ProposalRow): Promise<RecordAuthor> {
  let first = row
  for (let steps = 0; steps < maxChain && first.replaces !== null; steps++) {
    const earlier = await db.selectFrom('proposal').selectAll().where('id', '=', first.replaces).executeTakeFirst()
    if (!earlier) break
    first = earlier
  }
  const { account_id, token_id, by_name, token_name } = first
  return { account_id, token_id, by_name, token_name }
}

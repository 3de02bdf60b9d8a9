// The common parts of approving and rejecting a proposal: the check that it can be decided on, and the storing of the decision.

import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import { nameOf } from '../../identity/caller.ts'
import { boundedText, nonEmptyText } from '../../base/schema.ts'
import type { ProposalRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'

export const idProperty = nonEmptyText('Id of a proposal, or the title of one that waits.', 300)

export const noteProperty = (description: string) => Type.Optional(boundedText(description, 2000))

/** @throws Failure `refused` for a proposal that was already decided on */
export function checkWaits({ state, decided_by: by }: ProposalRow): void {
  if (state === 'waiting') return
  throw new Failure('refused', `${by ?? 'Someone'} has ${state} this proposal already.`, {
    rule: 'a proposal is decided on once',
    hint: hints[state] ?? 'Propose it again.',
  })
}

const hints: Readonly<Record<string, string>> = {
  approved: 'SVC_Activity.undo undoes an approval.',
  replaced: '`replaced_by` of SVC_Proposals.get names the one that was made of it.',
}

/** Stores the decision about a proposal. */
export async function decide(
  { change, caller, now }: WriteContext,
  row: ProposalRow,
  state: 'approved' | 'rejected' | 'replaced',
  note: string | undefined,
): Promise<ProposalRow> {
  const patch = { state, decided_by: nameOf(caller), decided_at: now, answer: note ?? null }
  return (await change.update('proposal', row, patch)).row
}

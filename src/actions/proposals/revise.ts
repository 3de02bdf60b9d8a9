// SVC_Proposals.revise: makes another proposal of one that waits. Whoever decides leaves out or changes some of its calls; the new
// proposal is theirs, is tried and shown again, and the first one is closed.

import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { dispatch } from '../call/dispatch.ts'
import { ofOtherActions } from '../call/failures.ts'
import { otherChanges } from '../call/proposed-changes.ts'
import { draftProposal, isMadeTitle } from '../call/proposing.ts'
import { proposalWaits, waitsProperty } from '../call/waits.ts'
import { writeProperties } from '../call/write-answer.ts'
import { oneCall } from '../api/batch.ts'
import { maxProposedCalls } from '../api/batch-plan.ts'
import { decide, idProperty, noteProperty } from './decide.ts'
import { openApproval } from './open-approval.ts'
import { callsOf, changesOf, leanItem, leanOf } from './proposal-item.ts'

export const revise = action('SVC_Proposals.revise', {
  title: 'Change a proposal[: {title}]',
  summary: 'Makes a proposal of yours of one that waits, with other calls, and closes the first. Nothing is done yet.',
  did: 'changed a proposal[: {title}]',
  tier: 'admin',
  effect: 'act',
  failures: ofOtherActions,
  touches: 'approvals',
  batchable: false,
  revisioned: true,
  input: closed({
    id: idProperty,
    calls: Type.Array(oneCall, {
      minItems: 1,
      maxItems: maxProposedCalls,
      description: 'All calls of the new proposal, in order: those of the first, without or with other arguments.',
    }),
    note: noteProperty('What the first proposer will read.'),
  }),
  output: Type.Object({ item: leanItem, ...waitsProperty, ...writeProperties }),
  examples: [
    {
      title: 'Without its second call',
      input: {
        id: 'A page with our opening hours',
        calls: [{ action: 'SVC_Content.create', arguments: { type: 'page', title: 'Opening hours' } }],
      },
    },
  ],
  async prepare(context, { id, calls }) {
    const { row } = await openApproval(context, id)
    const { site, caller, origin, signal } = context
    const isMade = isMadeTitle(site.registry, row.title, callsOf(row))
    const given = { ...(isMade ? {} : { title: row.title }), note: row.note ?? undefined, calls }
    const draft = await draftProposal(site, caller, given, (as, call, onTried) =>
      dispatch(site, as, call, { origin, signal, onTried }),
    )
    return { stored: row.calls, draft }
  },
  async run(context, { id, note }, { stored, draft }) {
    const { row } = await openApproval(context, id)
    // Its proposer may add calls at any time, which nobody has left out on purpose.
    if (row.calls !== stored) throw otherChanges(changesOf(row) ?? [], [])
    context.noteInput({ title: draft.title })
    // The revision that the caller read is that of the first proposal.
    await decide(context, row, 'replaced', note)
    const made = await context.change.insert('proposal', { ...draft, replaces: row.id })
    const waits = !context.dryRun && { waits: proposalWaits(context, made.id) }
    return { item: leanOf(made), ...waits, warnings: [], activity_id: null }
  },
})

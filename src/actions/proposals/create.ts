// SVC_Proposals.create: proposes calls. A call that needs an approval by the limits of its token becomes a proposal, too.

import { Type } from 'typebox'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { dispatch } from '../call/dispatch.ts'
import { ofOtherActions } from '../call/failures.ts'
import { draftProposal } from '../call/proposing.ts'
import { proposalWaits, waitsProperty } from '../call/waits.ts'
import { writeProperties } from '../call/write-answer.ts'
import { oneCall } from '../api/batch.ts'
import { maxProposedCalls } from '../api/batch-plan.ts'
import { leanItem, leanOf } from './proposal-item.ts'
import { noteProperty } from './decide.ts'

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
    title: nonEmptyText('What the calls are for, in one line.', 300),
    calls: Type.Array(oneCall, { minItems: 1, maxItems: maxProposedCalls, description: 'The calls, as for SVC_API.batch.' }),
    note: noteProperty('What the admin should know.'),
  }),
  output: Type.Object({
    item: leanItem,
    ...waitsProperty,
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
  async run(context, _input, draft) {
    const row = await context.change.insert('proposal', draft)
    const waits = !context.dryRun && { waits: proposalWaits(context, row.id) }
    return { item: leanOf(row), ...waits, would_change: JSON.parse(row.diff) as unknown[], warnings: [], activity_id: null }
  },
})

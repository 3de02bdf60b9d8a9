import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { writeProperties } from '../call/write-answer.ts'
import { getProposal, leanItem, leanOf } from './proposal-item.ts'
import { checkWaits, decide, idProperty, noteProperty } from './decide.ts'

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

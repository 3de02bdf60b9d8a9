import { discardStaged } from '../../content/entries/stage-entry.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { getWritable, writingOf, entryWrite } from './writing.ts'

export const discard = action('SVC_Content.discard', {
  title: 'Discard the pending changes of [{title}|an entry]',
  summary: 'Discards the staged changes of an entry. What the public sees stays the same.',
  did: 'discarded the pending changes of [{title}|an entry]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({ id: idProperty }),
  output: writeOutput({}),
  examples: [{ title: 'Discard what is staged for a page', input: { id: '/about' } }],
  async run(context, { id }) {
    const { row, changed } = await discardStaged(writingOf(context), await getWritable(context, id))
    return wrote(context, row, changed, [])
  },
})

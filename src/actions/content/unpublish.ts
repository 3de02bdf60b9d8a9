// SVC_Content.unpublish: takes an entry off the public site. The schedule calls it too.

import { Type } from 'typebox'
import { settleTiming } from '../../content/entries/status.ts'
import { changeEntry } from '../../content/entries/write-entry.ts'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { getWritable, writingOf, entryWrite } from './writing.ts'

export const unpublish = action('SVC_Content.unpublish', {
  title: 'Take [{title}|an entry] off the public site',
  summary: 'Takes an entry off the public site, or off its schedule; it stays as a draft.',
  did: 'took [{title}|an entry] off the public site',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found'],
  revisioned: true,
  input: closed({
    id: idProperty,
    status: Type.Optional(Type.Enum(['draft', 'private'], { description: 'The new status. The default is draft.' })),
  }),
  output: writeOutput({}),
  examples: [{ title: 'Take a page off', input: { id: '/about' } }],
  async run(context, { id, status }) {
    const before = await getWritable(context, id)
    const shown = before.status === 'published' || before.status === 'scheduled'
    const timing = !shown && status === undefined ? before : settleTiming(before, { status: status ?? 'draft' }, context.now)
    const { row, changed } = await changeEntry(writingOf(context), before, {
      status: timing.status,
      published_at: timing.published_at,
      unpublish_at: timing.unpublish_at,
    })
    return wrote(context, row, changed, [])
  },
})

// SVC_Content.publish, unpublish and discard: publish an entry with its staged changes, take it off the public site, or discard its
// staged changes. The schedule also calls the first two.

import { Type } from 'typebox'
import { discardStaged, publishEntry } from '../../../content/stage-entry.ts'
import { settleTiming } from '../../../content/status.ts'
import { changeEntry } from '../../../content/write-entry.ts'
import { Failure } from '../../../failure.ts'
import { action } from '../../action.ts'
import { timeOf } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { getWritable, writingOf } from './writing.ts'
import { closed } from '../../../schema.ts'

export const publish = action('SVC_Content.publish', {
  title: 'Publish [{title}|an entry]',
  summary: 'Puts an entry on the public site, now or at a time, with the changes that wait for it.',
  did: 'published [{title}|an entry]',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  touches: 'entries',
  revisioned: true,
  input: closed({
    id: idProperty,
    published_at: Type.Optional(
      Type.String({
        description: 'A future time schedules the entry, a past time back-dates it. The default is now.',
        maxLength: 50,
      }),
    ),
    at: Type.Optional(Type.String({ description: 'An older name of `published_at`.', maxLength: 50 })),
  }),
  output: writeOutput({}),
  examples: [
    { title: 'Publish a draft', input: { id: '/hello' } },
    { title: 'Publish it on a day', input: { id: '/hello', published_at: '2099-01-01T09:00' } },
  ],
  async run(context, { id, published_at: date, at }) {
    if (date !== undefined && at !== undefined)
      throw new Failure('invalid', '`published_at` and `at` are the same argument: give one of them.', {
        field: 'at',
        expected: 'left out where `published_at` is given',
      })
    const before = await getWritable(context, id)
    const ahead = before.published_at !== null && before.published_at > context.now
    const from = timeOf(context, date, 'published_at') ?? timeOf(context, at, 'at') ?? (ahead ? context.now : undefined)
    const timing =
      before.status === 'published' && date === undefined && at === undefined
        ? before
        : settleTiming(before, { status: 'published', published_at: from }, context.now)
    // A schedule was set for the entry itself. Nobody has reviewed changes that were staged later.
    const apply = context.caller.door !== 'system'
    const { row, changed } = await publishEntry(writingOf(context), before, timing, apply)
    return wrote(context, row, changed, [])
  },
})

export const unpublish = action('SVC_Content.unpublish', {
  title: 'Take [{title}|an entry] off the public site',
  summary: 'Takes an entry off the public site, or off its schedule; it stays as a draft.',
  did: 'took [{title}|an entry] off the public site',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'entries',
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

export const discard = action('SVC_Content.discard', {
  title: 'Discard the pending changes of [{title}|an entry]',
  summary: 'Drops the changes that wait for an entry. What the public sees stays.',
  did: 'discarded the pending changes of [{title}|an entry]',
  object: { kind: 'entry', page: 'editEntry' },
  tier: 'content',
  effect: 'write',
  failures: ['not_found'],
  touches: 'entries',
  revisioned: true,
  input: closed({ id: idProperty }),
  output: writeOutput({}),
  examples: [{ title: 'Drop what is staged for a page', input: { id: '/about' } }],
  async run(context, { id }) {
    const { row, changed } = await discardStaged(writingOf(context), await getWritable(context, id))
    return wrote(context, row, changed, [])
  },
})

// SVC_Content.publish: publishes an entry with its staged changes. The schedule calls it too.

import { Type } from 'typebox'
import { publishEntry } from '../../content/entries/stage-entry.ts'
import { settleTiming } from '../../content/entries/status.ts'
import { invalid } from '../../base/failure.ts'
import { boundedText, closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { timeOf } from './fields.ts'
import { writeOutput, wrote } from './item.ts'
import { idProperty } from './named.ts'
import { changedRecently } from './warnings.ts'
import { getWritable, writingOf, entryWrite } from './writing.ts'

export const publish = action('SVC_Content.publish', {
  title: 'Publish [{title}|an entry]',
  summary: 'Publishes an entry, now or at a time, with its staged changes.',
  did: 'published [{title}|an entry]',
  ...entryWrite,
  effect: 'write',
  failures: ['not_found', 'exists', 'in_use'],
  revisioned: true,
  input: closed({
    id: idProperty,
    published_at: Type.Optional(
      boundedText('A future time schedules the entry, a past time back-dates it. The default is now.', 50),
    ),
    at: Type.Optional(boundedText('An older name of `published_at`.', 50)),
  }),
  output: writeOutput({}),
  examples: [
    { title: 'Publish a draft', input: { id: '/hello' } },
    { title: 'Publish it on a day', input: { id: '/hello', published_at: '2099-01-01T09:00' } },
  ],
  async run(context, { id, published_at: date, at }) {
    if (date !== undefined && at !== undefined)
      throw invalid(
        'at',
        '`published_at` and `at` are the same argument: give one of them.',
        'left out where `published_at` is given',
      )
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
    return wrote(context, row, changed, await changedRecently({ context, before, written: { row, changed } }))
  },
})

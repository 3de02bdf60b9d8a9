import { Type } from 'typebox'
import { invalid } from '../../base/failure.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { action } from '../call/action.ts'
import { nullable, writeProperties } from '../call/write-answer.ts'
import { readDate } from './since.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'

export const mark = action('SVC_Activity.mark', {
  title: 'Set [the restore point {title}|a restore point]',
  summary: 'Sets a restore point before big work: undo and digest take its name as `since`.',
  did: 'set [the restore point {title}|a restore point]',
  tier: 'content',
  effect: 'act',
  touches: 'nothing',
  input: closed({
    name: nonEmptyText('Such as "before the redesign". Of two restore points with one name, the newer one counts.', 100),
  }),
  output: Type.Object({
    item: Type.Object({
      id: nullable(Type.String(), 'Id of the restore point; null in a dry run.'),
      name: Type.String(),
      at: Type.String(),
    }),
    ...writeProperties,
  }),
  examples: [{ title: 'Before an afternoon of work', input: { name: 'before the redesign' } }],
  async run(context, { name }) {
    if (name.trim() !== name || /\p{Cc}/u.test(name) || !name.isWellFormed())
      throw invalid('name', '"name" must be one line, without spaces around it.', 'a short text')
    if (readDate(context, name) !== undefined)
      throw invalid('name', '"name" must not be a date, because `since` takes dates, too.', 'words')
    const id = context.dryRun ? null : context.activityId
    return { item: { id, name, at: formatDate(context.now) }, warnings: [], activity_id: null }
  },
})

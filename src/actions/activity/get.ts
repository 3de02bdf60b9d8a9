import { Type } from 'typebox'
import { cutDiff, fitting, shownDiff } from '../../activity/diff.ts'
import { changesOf, findLatest, findVisible } from '../../activity/find.ts'
import { notFound } from '../../base/failure.ts'
import { closed, nonEmptyText } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { maxAnswerBytes } from '../call/answer.ts'
import { cutProperties } from '../call/write-answer.ts'
import { factsOf, summaryOf, summaryProperties } from './record-item.ts'

const shownChange = Type.Object({ id: Type.String(), field: Type.String(), before: Type.Unknown(), after: Type.Unknown() })

export const get = action('SVC_Activity.get', {
  title: 'Show a record',
  summary: 'Shows one record: its input, and each changed field before and after.',
  tier: 'read',
  effect: 'read',
  failures: ['not_found'],
  input: closed({
    id: nonEmptyText('Id of the record: `activity_id` of a write, or an id from `list`, or `latest`.', 100),
    object: Type.Optional(nonEmptyText('Id of one changed object: shows only its changes, in full.', 100)),
  }),
  output: Type.Object({
    item: Type.Object({
      ...summaryProperties,
      runs: Type.Array(Type.String(), { description: 'All actions that ran in the call.' }),
      input: Type.Record(Type.String(), Type.Unknown(), { description: 'Without secrets; long texts are cut.' }),
      diff: Type.Array(shownChange),
      ...cutProperties,
      truncated: Type.Boolean({ description: 'Whether the diff is cut.' }),
    }),
  }),
  examples: [{ title: 'The latest record', input: { id: 'latest' } }],
  async run(context, { id, object }) {
    const { db, caller } = context
    const row = id === 'latest' ? await findLatest(db, caller) : await findVisible(db, caller, id)
    if (!row) throw notFound('activity', id, 'SVC_Activity.list lists them.')
    const summary = summaryOf(context, row, await factsOf(context, [row]))
    const runs = JSON.parse(row.runs) as string[]
    const input = JSON.parse(row.input) as Record<string, unknown>
    const changes = changesOf(row)
    if (object === undefined) return { item: { ...summary, runs, input, truncated: false, ...cutDiff(changes, seeOne) } }
    const all = shownDiff(changes.filter((change) => change.id === object))
    if (all.length === 0)
      throw notFound('change of', object, 'The `diff` of this record has the ids of the things that it changed.')
    const diff = fitting(all, maxAnswerBytes - 10_000 - Buffer.byteLength(row.input))
    return { item: { ...summary, runs, input, diff, truncated: diff.length < all.length } }
  },
})

const seeOne = 'Give the id of one of the things as `object` to see its changes.'

import { Type } from 'typebox'
import { boundedInteger, closed } from '../../base/schema.ts'
import { timeBounds } from '../../statistics/call-counts.ts'
import { shownValue } from '../../statistics/read-counts.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { rangeOf, rangeProperties } from './day-range.ts'

const usualLimit = 20
const maxLimit = 200

export const callGroups = ['token', 'action', 'door'] as const

export const calls = action('SVC_Stats.calls', {
  title: 'Count the calls',
  summary: 'Counts the calls of actions by token, action or door, with the errors and the time that they took.',
  tier: 'admin',
  effect: 'read',
  input: closed({
    ...rangeProperties,
    by: Type.Optional(Type.Enum([...callGroups], { description: 'What to count by. The default is `token`.' })),
    limit: Type.Optional(boundedInteger(`The most values. The default is ${usualLimit}.`, 1, maxLimit)),
  }),
  output: Type.Object({
    from: Type.String(),
    to: Type.String(),
    by: Type.Enum([...callGroups]),
    items: Type.Array(
      Type.Object({
        value: nullable(
          Type.String(),
          'The id of the token or app, the action or the door. Null joins calls without a token, unknown actions, and the rare values of each day.',
        ),
        name: nullable(Type.String(), 'The name of the token or app.'),
        calls: Type.Integer(),
        errors: Type.Integer({ description: 'Calls that failed or were refused.' }),
        p95_ms: nullable(
          Type.Integer(),
          `95 of 100 calls took at most this many milliseconds: ${timeBounds.flatMap(([, bound]) => (bound === Infinity ? [] : bound)).join(', ')}; null if they took longer.`,
        ),
      }),
    ),
  }),
  examples: [
    { title: 'Who called in the last 30 days', input: {} },
    { title: 'The actions of the last week', input: { by: 'action', from: '-6d' } },
  ],
  prepare: ({ site }) => site.statistics.flush(),
  async run(context, { by = 'token', limit = usualLimit, ...asked }) {
    const range = rangeOf(context, asked)
    const rows = await context.db
      .selectFrom('call_count')
      .select((eb) => [
        `${by} as value`,
        eb.fn.max<string>('token_name').as('name'),
        eb.fn.sum<number>('calls').as('calls'),
        eb.fn.sum<number>('errors').as('errors'),
        eb.fn.sum<number>('ms_10').as('ms_10'),
        eb.fn.sum<number>('ms_50').as('ms_50'),
        eb.fn.sum<number>('ms_200').as('ms_200'),
        eb.fn.sum<number>('ms_1000').as('ms_1000'),
        eb.fn.sum<number>('ms_5000').as('ms_5000'),
        eb.fn.sum<number>('ms_more').as('ms_more'),
      ])
      .where('day', '>=', range.from)
      .where('day', '<=', range.to)
      .groupBy(by)
      .orderBy('calls', 'desc')
      .orderBy('value')
      .limit(limit)
      .execute()
    return {
      ...range,
      by,
      items: rows.map((row) => ({
        value: shownValue(row.value),
        name: by === 'token' && row.name !== '' ? row.name : null,
        calls: row.calls,
        errors: row.errors,
        p95_ms: p95Of(row),
      })),
    }
  },
})

type Times = { readonly [Column in 'calls' | (typeof timeBounds)[number][0]]: number }

/** The upper bound of the time that 95 of 100 calls took. */
function p95Of(times: Times): number | null {
  let within = 0
  for (const [column, bound] of timeBounds) {
    within += times[column]
    if (within >= 0.95 * times.calls) return bound === Infinity ? null : bound
  }
  return null
}

import { sql } from 'kysely'
import { Type } from 'typebox'
import { entryStatuses } from '../../content/entries/entry.ts'
import { dayIn, parseDate } from '../../settings/time-zone.ts'
import { action, type Context } from '../call/action.ts'
import { closed, boundedInteger } from '../../base/schema.ts'

const usualMonths = 12
const maxMonths = 120

export const site = action('SVC_Stats.site', {
  title: 'Count the entries',
  summary: 'Counts the entries of the site by type, by status, and by the month in which they were published.',
  tier: 'read',
  effect: 'read',
  input: closed({
    months: Type.Optional(
      boundedInteger(`How many months to count, up to the present one. The default is ${usualMonths}.`, 1, maxMonths),
    ),
  }),
  output: Type.Object({
    total: Type.Integer({ description: 'All entries that are not in the trash.' }),
    statuses: Type.Record(Type.String(), Type.Integer()),
    types: Type.Array(
      Type.Object({
        type: Type.String(),
        name: Type.String(),
        total: Type.Integer({ description: 'Without those in the trash.' }),
        statuses: Type.Record(Type.String(), Type.Integer()),
      }),
    ),
    months: Type.Array(Type.Object({ month: Type.String(), published: Type.Integer() }), {
      description: "Public entries by the month of `published_at` in the site's time zone, the newest month first.",
    }),
  }),
  examples: [
    { title: 'How much there is', input: {} },
    { title: 'This month and the two before it', input: { months: 3 } },
  ],
  async run(context, { months = usualMonths }) {
    const rows = await context.db
      .selectFrom('entry')
      .select(['type', 'status', (eb) => eb.fn.countAll<number | string>().as('entries')])
      .groupBy(['type', 'status'])
      .execute()
    const counted = rows.map(({ type, status, entries }) => ({ type, status, entries: Number(entries) }))
    const types = context.site.types.current.all.map(({ slug, name }) => {
      const ofType = counted.filter(({ type }) => type === slug)
      return { type: slug, name, total: present(ofType), statuses: byStatus(ofType) }
    })
    return { total: present(counted), statuses: byStatus(counted), types, months: await countMonths(context, months) }
  },
})

interface Counted {
  readonly status: string
  readonly entries: number
}

const sum = (rows: readonly Counted[]): number => rows.reduce((all, { entries }) => all + entries, 0)
const present = (rows: readonly Counted[]): number => sum(rows.filter(({ status }) => status !== 'trash'))
const byStatus = (rows: readonly Counted[]): Record<string, number> =>
  Object.fromEntries(entryStatuses.map((status) => [status, sum(rows.filter((row) => row.status === status))]))

/** Counts the published entries of each month in one query, with a range of the index on status and date per month. */
async function countMonths({ db, now, site: { settings } }: Context, count: number) {
  const zone = settings.values.time_zone
  const [year = 0, month = 0] = dayIn(now, zone).split('-').map(Number)
  const names = Array.from({ length: count + 1 }, (_, back) => nameOf(year * 12 + month - 1 + 1 - back))
  const starts = names.map((name) => parseDate(`${name}-01`, zone, 'start') ?? 0)
  const ranges = names.slice(1).map((name, at) => {
    const from = starts[at + 1] ?? 0
    const to = starts[at] ?? 0
    return sql`select cast(${name} as text) as month, count(*) as published from entry
      where status = 'published' and published_at >= ${from} and published_at < ${to}`
  })
  const { rows } = await sql<{ month: string; published: number | string }>`${sql.join(ranges, sql` union all `)}`.execute(db)
  return rows
    .map((row) => ({ month: row.month, published: Number(row.published) }))
    .toSorted((a, b) => (a.month < b.month ? 1 : -1))
}

/** Returns a month such as `2026-11`, from the number of months since the year 0. */
const nameOf = (months: number): string =>
  `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}`

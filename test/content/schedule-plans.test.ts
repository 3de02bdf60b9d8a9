// How the schedule finds what is due. It looks after each change, so its queries must not read all entries.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { explainQueries, fillTable, withoutReferences } from '../actions/query-plans.ts'
import { openContentSite, start } from '../actions/content-site.ts'
import { startSchedule } from '../../src/content/entries/schedule.ts'

test('however many entries are public, the schedule reads those that have an end or a beginning', async () => {
  await using site = await openContentSite()
  const { services } = site
  await withoutReferences(services.store)
  await fillTable(services.store, 'entry', 1500, {
    id: null,
    path: null,
    slug: null,
    type: 'post',
    status: 'published',
    unpublish_at: undefined,
  })
  await sql`update entry set unpublish_at = ${start} + 1000000 + revision where id like '%77'`.execute(services.store.write)
  const queries = await explainQueries(services.store)
  const schedule = startSchedule(services, () => assert.fail('nothing is due'))
  const { plans } = await queries.of(() => schedule.run())
  queries.stop()
  await schedule.stop()
  const ends = plans.filter(({ text }) => /order by "unpublish_at"/.test(text))
  const begins = plans.filter(({ text }) => /order by "published_at"/.test(text))
  assert.deepEqual([ends.length, begins.length, plans.length], [2, 2, 4])
  for (const { text, plan, sorts, scans } of plans) assert.ok(!sorts && !scans, [text, ...plan].join('\n'))
  for (const { text, plan } of ends) assert.match(plan.join('\n'), /unpublish_at [<>]|unpublish_at[<>]/, text)
})

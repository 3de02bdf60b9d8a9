// Many things in one call: batches of 500 calls, tables of entries, failing parts that are skipped, counts without `expect`, and calls
// that are too long for one transaction.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { siteDatabases } from '../site-databases.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

type Data = any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions

const post = (title: string, more = {}) => ({ action: 'SVC_Content.create', arguments: { type: 'post', title, ...more } })
const entryCount = async (site: TestSite, where = {}): Promise<number> =>
  (await site.call('SVC_Content.list', { arguments: { where, count: true, limit: 1 } })).total
const batch = (site: TestSite, calls: readonly object[], more = {}) =>
  site.call('SVC_API.batch', { arguments: { calls, ...more } })

for (const database of siteDatabases)
  describe(`on ${database}`, () => {
    test('500 calls are one transaction, one record and one undo, and their answer fits', async () => {
      // A busy machine may need more than a second.
      await using site = await openSite({ database, env: { POSTERN_WRITER_MS: '60000' } })
      const calls = Array.from({ length: 500 }, (_, place) => post(`Entry ${place}`, { body: 'Some **words**. '.repeat(20) }))
      const before = await entryCount(site)
      const { results, shortened, activity_id: id } = await batch(site, calls)
      assert.equal(new Set(results.map(({ item }: Data) => item.id)).size, 500)
      assert.match(shortened, /only the id/)
      assert.equal(await entryCount(site), before + 500)
      await site.call('SVC_Activity.undo', { arguments: { ids: [id] } })
      assert.equal(await entryCount(site), before)
    })

    test('the 501st call is refused by its number, and nothing is written', async () => {
      await using site = await openSite({ database })
      const before = await entryCount(site)
      const { status, json } = await site.api('SVC_API.batch', {
        arguments: { calls: Array.from({ length: 501 }, (_, place) => post(`Entry ${place}`)) },
      })
      assert.equal(status, 400)
      assert.match(json.error.message, /list of 1 to 500 items/)
      assert.equal(await entryCount(site), before)
    })

    test('`skip` leaves out what fails before and within the transaction, names each, and keeps the rest', async () => {
      await using site = await openSite({ database })
      const answer = await batch(
        site,
        [
          post('First', { slug: 'one' }),
          post('Second', { slug: 'one' }),
          post('Third', { colour: 'red' }),
          { action: 'SVC_Content.fly', arguments: {} },
          { action: 'SVC_Content.publish', arguments: { id: '$0.item.id' } },
          { action: 'SVC_Content.publish', arguments: { id: '$1.item.id' } },
          post('Last'),
          { action: 'SVC_Content.get', arguments: { id: '$6.item.id' } },
        ],
        { on_error: 'skip' },
      )
      assert.deepEqual(answer.skipped, [1, 2, 3, 5])
      assert.deepEqual(
        answer.skipped.map((place: number) => [answer.results[place].error.code, answer.results[place].error.field]),
        [
          ['exists', 'calls.1.arguments.slug'],
          ['invalid', 'calls.2.arguments.colour'],
          ['unknown_action', 'calls.3'],
          ['invalid', 'calls.5'],
        ],
      )
      assert.equal(answer.results[4].item.status, 'published')
      assert.equal(answer.results[7].item.title, 'Last')
      const record = await site.call('SVC_Activity.get', { arguments: { id: answer.activity_id } })
      assert.equal(new Set(record.item.diff.map(({ id }: Data) => id)).size, 2)
      await site.call('SVC_Activity.undo', { arguments: { ids: [answer.activity_id] } })
      assert.equal(await entryCount(site, { title: { in: ['First', 'Last'] } }), 0)
    })

    test('without `skip` one failing call of many undoes all', async () => {
      await using site = await openSite({ database })
      const before = await entryCount(site)
      const calls = [...Array.from({ length: 60 }, (_, place) => post(`Entry ${place}`)), post('Taken', { slug: 'entry-3' })]
      const { json } = await site.api('SVC_API.batch', { arguments: { calls } })
      assert.deepEqual([json.error.code, json.error.field], ['exists', 'calls.60.arguments.slug'])
      assert.equal(await entryCount(site), before)
    })

    test('a table makes entries of one type, with fields, terms and dates', async () => {
      await using site = await openSite({ database })
      await site.call('SVC_Types.create', {
        arguments: { slug: 'bread', name: 'Bread', fields: [{ name: 'price', kind: 'number', label: 'Price' }] },
      })
      const input = {
        type: 'bread',
        columns: ['title', 'body', 'fields.price', 'status'],
        rows: Array.from({ length: 40 }, (_, row) => [`Loaf ${row}`, row % 2 ? null : 'Dark.', row / 2, 'published']),
      }
      const wrong = { ...input, rows: [...input.rows, ...Array.from({ length: 400 }, () => ['', null, 1, 'published'])] }
      const skipping = await site.call('SVC_Content.create-many', { arguments: { ...wrong, on_error: 'skip' } })
      assert.deepEqual(
        [skipping.counts, skipping.skipped.length, skipping.skipped_rows.length, skipping.skipped_rows[0]],
        [{ created: 40, skipped: 400 }, 10, 400, 40],
      )
      await site.call('SVC_Activity.undo', { arguments: { ids: [skipping.activity_id] } })
      const tried = await site.call('SVC_Content.create-many', { arguments: input, dry_run: true })
      assert.deepEqual([tried.counts, tried.activity_id], [{ created: 40, skipped: 0 }, null])
      const made = await site.call('SVC_Content.create-many', { arguments: input })
      assert.deepEqual([made.counts, made.ids.length], [{ created: 40, skipped: 0 }, 10])
      const { item: third } = await site.call('SVC_Content.get', { arguments: { id: made.ids[3] } })
      assert.deepEqual([third.title, third.body, third.fields.price, third.status], ['Loaf 3', '', 1.5, 'published'])
      await site.call('SVC_Activity.undo', { arguments: { ids: [made.activity_id] } })
      assert.equal(await entryCount(site, { type: 'bread' }), 0)
    })

    test('a wrong row of a table is named, ends the call, or is skipped', async () => {
      await using site = await openSite({ database })
      const input = {
        type: 'post',
        columns: ['title', 'slug'],
        rows: [['A', 'same'], ['B', 'same'], ['C'], [7, 'd'], ['E', null]],
      }
      const { json } = await site.api('SVC_Content.create-many', { arguments: input })
      assert.deepEqual([json.error.code, json.error.field], ['invalid', 'rows.2'])
      assert.equal(await entryCount(site, { title: { in: ['A', 'E'] } }), 0)
      const answer = await site.call('SVC_Content.create-many', { arguments: { ...input, on_error: 'skip' } })
      assert.deepEqual(answer.counts, { created: 2, skipped: 3 })
      assert.deepEqual(
        answer.skipped.map(({ row, error }: Data) => [row, error.code, error.field]),
        [
          [1, 'exists', 'rows.1.slug'],
          [2, 'invalid', 'rows.2'],
          [3, 'invalid', 'rows.3.title'],
        ],
      )
    })

    test('a call that is too long for one transaction runs in slices where it may skip, and is refused where not', async () => {
      await using site = await openSite({ database, env: { POSTERN_WRITER_MS: '1', POSTERN_JOB_WAIT_SECONDS: '60' } })
      const before = await entryCount(site)
      const calls = [
        ...Array.from({ length: 120 }, (_, place) => post(`Entry ${place}`)),
        post('Taken', { slug: 'entry-3' }),
        { action: 'SVC_Content.publish', arguments: { id: '$0.item.id' } },
        post('Text', { body: '$$0.item.id' }),
      ]
      const refused = await site.api('SVC_API.batch', { arguments: { calls: calls.slice(0, 120) } })
      assert.deepEqual([refused.status, refused.json.error.code], [422, 'refused'])
      assert.match(refused.json.error.hint, /on_error: "skip"/)
      assert.equal(await entryCount(site), before)
      const answer = await batch(site, calls, { on_error: 'skip' })
      assert.deepEqual([answer.results.length, answer.skipped], [123, [120]])
      assert.ok(answer.activity_ids.length > 1)
      assert.equal(await entryCount(site), before + 121)
      assert.equal((await site.call('SVC_Content.get', { arguments: { id: '/entry-0' } })).item.status, 'published')
      assert.equal((await site.call('SVC_Content.get', { arguments: { id: '/text' } })).item.body, '$0.item.id')
      for (const ids of [answer.activity_ids.slice(100), answer.activity_ids.slice(0, 100)])
        if (ids.length > 0) await site.call('SVC_Activity.undo', { arguments: { ids } })
      assert.equal(await entryCount(site), before)
    })

    test('a table in slices is a job, which tells its rows and how far it is', async () => {
      await using site = await openSite({ database, env: { POSTERN_WRITER_MS: '1', POSTERN_JOB_WAIT_SECONDS: '1' } })
      const rows = Array.from({ length: 300 }, (_, row) => [`Row ${row}`, row === 250 ? 'row-1' : null])
      await site.call('SVC_Content.create-many', {
        arguments: { type: 'post', columns: ['title', 'slug'], rows, on_error: 'skip' },
      })
      const [{ id }] = (await site.call('SVC_Jobs.list')).items
      let job: Data
      await until('the job is done', async () => {
        job = (await site.call('SVC_Jobs.get', { arguments: { id } })).item
        return job.state === 'done'
      })
      assert.deepEqual(job.result.counts, { created: 299, skipped: 1 })
      assert.equal(job.result.skipped[0].row, 250)
      assert.deepEqual(job.progress, { done: 300, total: 300 })
    })

    test('destroying and changing many in a dry run counts without `expect`; otherwise the one true number is told', async () => {
      await using site = await openSite({ database })
      await batch(site, [post('Cat', { body: 'cat cat' }), post('Dog', { body: 'cat' })])
      const where = { title: { in: ['Cat', 'Dog'] } }
      const counted = await site.call('SVC_Content.replace-all', { arguments: { find: 'cat', replace: 'cow' }, dry_run: true })
      assert.equal(counted.matches, 3)
      const many = await site.call('SVC_Content.update-many', { arguments: { where, set: { excerpt: 'x' } }, dry_run: true })
      assert.equal(many.counts.done, 2)
      await site.call('SVC_Content.delete', { arguments: { ids: ['/cat', '/dog'] } })
      const purged = await site.call('SVC_Content.purge', { arguments: { where: {} }, dry_run: true })
      assert.equal(purged.counts.done, 2)
      const missing = await site.api('SVC_Content.purge', { arguments: { where: {} } })
      assert.deepEqual([missing.status, missing.json.error.code, missing.json.error.field], [400, 'invalid', 'expect'])
      assert.match(missing.json.error.hint, /dry run/)
      const wrong = await site.api('SVC_Content.purge', { arguments: { where: {}, expect: 5 } })
      assert.deepEqual([wrong.status, wrong.json.error.code, wrong.json.error.expected], [409, 'conflict', 2])
      assert.equal('found' in wrong.json.error, false)
    })
  })

test('a client that asks first proposes at most 50 calls, and none without its `expect`', async () => {
  await using site = await openSite()
  const { token } = await site.call('SVC_Tokens.create', {
    arguments: { name: 'Draft helper', scope: 'content', limits: { ask: ['SVC_Content.*'] } },
  })
  const many = Array.from({ length: 51 }, (_, place) => post(`Entry ${place}`))
  const refused = await site.api('SVC_API.batch', { arguments: { calls: many } }, { token })
  assert.deepEqual([refused.status, refused.json.error.code], [422, 'refused'])
  assert.match(refused.json.error.hint, /at most 50/)
  const uncounted = { action: 'SVC_Content.replace-all', arguments: { find: 'a', replace: 'b' } }
  const missing = await site.api('SVC_API.batch', { arguments: { calls: [uncounted] } }, { token })
  assert.deepEqual([missing.json.error.code, missing.json.error.field], ['invalid', 'expect'])
})

test('a table within a batch or a proposal is not cut, however long it takes', async () => {
  await using site = await openSite({ env: { POSTERN_WRITER_MS: '1' } })
  const rows = Array.from({ length: 100 }, (_, row) => [`Row ${row}`])
  const table = { action: 'SVC_Content.create-many', arguments: { type: 'post', columns: ['title'], rows } }
  const { results } = await batch(site, [table])
  assert.deepEqual(results[0].counts, { created: 100, skipped: 0 })
  const { token } = await site.call('SVC_Tokens.create', { name: 'helper', scope: 'content' })
  const { item } = (await site.api('SVC_Proposals.create', { title: 'A table', calls: [table] }, { token })).json.data
  const shown = (await site.call('SVC_Proposals.get', { id: item.id })).item
  const done = await site.call('SVC_Proposals.approve', { id: item.id, digest: shown.digest })
  assert.equal(done.results[0].counts.created, 100)
})

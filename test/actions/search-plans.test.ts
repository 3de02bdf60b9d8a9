// How the database reads a search: by the search index, by keys, and by the primary key of the table of words; never a whole table.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { suggestPaths } from '../../src/actions/redirects/suggest-path.ts'
import { type ContentSite, nobody, openContentSite, tokenOf } from './content-site.ts'
import { type Explained, explainQueries } from './query-plans.ts'

let site: ContentSite
let queries: Explained

before(async () => {
  site = await openContentSite()
  for (let number = 0; number < 30; number++) {
    const status = number % 3 === 0 ? 'draft' : 'published'
    await site.ok('create', { type: 'post', title: `Lantern ${number}`, body: 'Harbour lights.', status })
  }
  await site.services.search.run()
  queries = await explainQueries(site.services.store)
})
after(async () => {
  queries.stop()
  await site[Symbol.asyncDispose]()
})

const calls: readonly (readonly [call: string, input: Record<string, unknown>])[] = [
  ['query', { query: 'lantern' }],
  ['query', { query: 'lantren' }],
  ['query', { query: '"harbour lights"', where: { status: 'published' } }],
  ['query', { query: 'harb', typing: true, type: 'post' }],
  ['similar', { text: 'A lantern in the harbour' }],
]

for (const [call, input] of calls)
  for (const caller of [nobody, tokenOf('read')])
    test(`${call} ${JSON.stringify(input)} reads no whole table, as ${caller.tier}`, async () => {
      const { answer, plans } = await queries.of(() => site.ok(`SVC_Search.${call}`, { ...input, limit: 5 }, caller))
      assert.ok(answer.items)
      assert.ok(plans.length > 2)
      for (const { text, plan, scans } of plans)
        // What is due is read in the order of its key, and is usually nothing.
        assert.ok(!scans || text.includes('from "entry_search_due"'), `${plan.join('; ')}\n${text}`)
    })

test('the page that somebody may have meant is found in an index, however many pages there are', async () => {
  const { store } = site.services
  const { answer: found, plans } = await queries.of(() =>
    suggestPaths(store.read, ['/old/lantern-1.html', '/lantrn-2', '/zzzz'], Date.now()),
  )
  assert.deepEqual([found.get('/old/lantern-1.html'), found.has('/zzzz')], ['/lantern-1', false])
  assert.match(found.get('/lantrn-2') ?? '', /^\/lantern-/)
  assert.ok(plans.length > 1)
  for (const { text, plan, sorts, scans } of plans) assert.deepEqual([sorts, scans], [false, false], `${text} ${plan.join('; ')}`)
})

// Kept values and changes that happen while they are computed.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { createReadingCache } from '../../../src/site/kept/reading-cache.ts'
import type { Services } from '../../../src/actions/call/services.ts'
import { openTestSite, start, type TestSite } from '../../identity/open-test-site.ts'

let on: TestSite
/** The entry of the test. What another test has read of its own entry is still noted. */
let id: string

before(async () => {
  on = await openTestSite()
})
beforeEach(async () => {
  const { item } = await on.ok('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: 'We.' })
  id = item.id
})
after(() => on[Symbol.asyncDispose]())

const titles = () => createReadingCache<string>(on.site, { maxBytes: 1000, sizeOf: (title) => title.length })
const readTitle = async ({ entries }: Services): Promise<string> => (await entries.byId(id))?.title ?? ''
const rename = (title: string) => on.ok('SVC_Content.update', { id, title })
const expire = (at: number) => on.ok('SVC_Content.update', { id, unpublish_at: new Date(at).toISOString() })

test('a value that was read before a change is not kept, and one that was read after it is', async () => {
  const cache = titles()
  const early = await cache.load(on.site, 'early', async (site) => {
    const title = await readTitle(site)
    await rename('About us')
    return title
  })
  const late = await cache.load(on.site, 'late', async (site) => {
    await rename('All about us')
    return readTitle(site)
  })
  assert.deepEqual([early, late], ['About', 'All about us'])
  assert.deepEqual([cache.find(on.site, 'early'), cache.find(on.site, 'late')], [undefined, 'All about us'])
})

test('a value that is made of one which was read before a change is not kept', async () => {
  const cache = titles()
  const whole = await cache.load(on.site, 'whole', (site) =>
    cache.load(site, 'part', async (inner) => {
      const title = await readTitle(inner)
      await rename('We')
      return title
    }),
  )
  assert.equal(whole, 'About')
  assert.equal(cache.find(on.site, 'whole'), undefined)
})

test('a value ends when an entry does that got its end while the value was computed', async () => {
  const cache = titles()
  const hour = 3_600_000
  await cache.load(on.site, 'title', async (site) => {
    await expire(start + hour / 2)
    return readTitle(site)
  })
  on.clock.at = start + hour / 4
  assert.equal(cache.find(on.site, 'title'), 'About')
  on.clock.at = start + hour / 2
  assert.equal(cache.find(on.site, 'title'), undefined)
})

test('what no kept value has read is forgotten, also where a value could not be made or was too large', async () => {
  const { areas } = on.site.freshness
  const size = () => areas.size
  const cache = titles()
  const begun = size()
  await cache.load(on.site, 'kept', readTitle)
  const kept = size()
  assert.ok(kept > begun)
  const failing = cache.load(on.site, 'failed', async ({ entries }) => {
    await entries.byId('unknown')
    throw new Error('There is no such entry.')
  })
  await assert.rejects(failing)
  await cache.load(on.site, 'large', async ({ entries }) => {
    await entries.byId('unknown')
    return 'x'.repeat(2000)
  })
  assert.equal(size(), kept)
  await rename('They')
  assert.equal(cache.find(on.site, 'kept'), undefined)
  assert.equal(size(), begun)
})

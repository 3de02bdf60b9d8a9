// Values at the limits of PostgreSQL: the longest path that an index takes, and the largest revision that a column takes.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

let site: TestSite
before(async () => (site = await openTestSite({}, 'PostgreSQL')))
after(() => site[Symbol.asyncDispose]())

/** Pages below each other, each with a slug of this many letters of three bytes. @returns the id of the lowest one */
async function makePages(slugs: readonly number[]): Promise<string> {
  let parent: string | null = null
  for (const length of slugs) {
    // Letters in no order, which no index can compress.
    const slug = Array.from({ length }, () => String.fromCodePoint(0x4e00 + Math.floor(Math.random() * 20_000))).join('')
    const made = await site.ok('SVC_Content.create', { type: 'page', title: 'Deep', slug, parent })
    parent = made.item.id as string
  }
  return parent ?? ''
}

test('a path of 2,000 bytes is saved, moved and found; a longer one is refused', async () => {
  const parent = await makePages([90, 90, 90, 90, 90, 90])
  const page = await makePages([90])
  const moved = await site.ok('SVC_Content.update', { id: page, parent })
  const left = 2000 - Buffer.byteLength(moved.item.path) - 1
  assert.equal(left % 3, 0)
  const create = (slug: string) => site.ok('SVC_Content.create', { type: 'page', title: 'Last', slug, parent: page })
  await assert.rejects(create('港'.repeat(left / 3 + 1)), /2000 bytes/)
  const { item } = await create('港'.repeat(left / 3))
  assert.equal(Buffer.byteLength(item.path), 2000)
  assert.equal((await site.ok('SVC_Content.get', { id: item.path })).item.title, 'Last')
})

test('if_revision takes the largest revision there can be, and no larger number', async () => {
  const { item } = await site.ok('SVC_Content.create', { type: 'post', title: 'Revised' })
  const update = (revision: number) => site.fails('SVC_Content.update', { id: item.id, title: 'Other', if_revision: revision })
  assert.equal((await update(2 ** 31 - 1)).code, 'conflict')
  for (const wrong of [2 ** 31, 2 ** 53, 1.5, -1]) {
    await assert.rejects(update(wrong), (error) => {
      assert.deepEqual([(error as { code?: string }).code], ['invalid'], String(wrong))
      return true
    })
  }
})

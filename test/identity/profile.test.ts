// Public profiles of accounts: who may change them, and what they may be. test/site/outputs.test.ts has the pages that show them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openTestSite, type TestSite } from './open-test-site.ts'

let on: TestSite
before(async () => (on = await openTestSite()))
after(() => on[Symbol.asyncDispose]())

const update = (input: Record<string, unknown>) => on.ok('SVC_Accounts.update', { id: 'owner@example.org', ...input })

test('a profile is public only where an admin makes it so', async () => {
  const { item } = await update({ bio: 'Bakes.', picture: '/user-content/me.webp', slug: 'the-owner' })
  assert.deepEqual([item.public, item.slug, item.bio], [false, 'the-owner', 'Bakes.'])
  assert.equal((await update({ public: true })).item.public, true)
})

test('a profile that becomes public gets a slug of its own from the name, and undo takes both back', async () => {
  const [one, two] = [await on.account('one@example.org', 'read'), await on.account('two@example.org', 'read')]
  const shown = async ({ id }: { id: string }) => on.ok('SVC_Accounts.update', { id, name: 'Zoë Müller', public: true })
  assert.equal((await shown(one)).item.slug, 'zoe-muller')
  const { item, activity_id } = await shown(two)
  assert.equal(item.slug, 'zoe-muller-2')
  await on.ok('SVC_Activity.undo', { ids: [activity_id] })
  const { slug, public: isPublic } = (await on.ok('SVC_Accounts.get', { id: two.id })).item
  assert.deepEqual([slug, isPublic], [null, false])
})

const bad: readonly (readonly [field: string, value: unknown, code: string])[] = [
  ['slug', 'Not a slug', 'invalid'],
  ['slug', 'taken', 'exists'],
  ['bio', 'a\u0007b', 'invalid'],
  ['bio', 'x'.repeat(2001), 'invalid'],
  ['picture', 'javascript:alert(1)', 'invalid'],
  ['picture', '//elsewhere.example/x.png', 'invalid'],
  ['picture', 'http://plain.example/x.png', 'invalid'],
  ['public', 'yes', 'invalid'],
]
test('a profile that cannot be is refused, naming the field', async () => {
  const other = await on.account('taken@example.org', 'read')
  await on.ok('SVC_Accounts.update', { id: other.id, slug: 'taken' })
  for (const [field, value, code] of bad) {
    const failure = await on.fails('SVC_Accounts.update', { id: 'owner@example.org', [field]: value })
    assert.deepEqual([failure.code, failure.field], [code, field], JSON.stringify(value).slice(0, 40))
  }
})

test('only an admin changes a profile, and each person sees their own', async () => {
  const failure = await on.fails('SVC_Accounts.update', { id: 'owner@example.org', bio: 'x' }, on.as('content'))
  assert.equal(failure.code, 'unknown_action')
  assert.equal((await on.ok('SVC_Accounts.me', {}, on.as('read'))).item.slug, 'the-owner')
})

// The role contributor: drafts of one's own entries, at every door, whatever the token says. Attacks 84 and 140 for this role.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { callName } from '../../src/actions/call/action.ts'
import { isVisible } from '../../src/actions/call/registry.ts'
import { callerOfAccount } from '../../src/identity/account-store.ts'
import { type Caller, limitsOf, roles, scopeOfRole, scopes } from '../../src/identity/caller.ts'
import { coversScope, findPersonal } from '../../src/identity/known-secret.ts'
import { hashSecret } from '../../src/identity/token-store.ts'
import type { AccountRow } from '../../src/store/core/schema.ts'
import { openTestSite, type TestSite } from './open-test-site.ts'

let on: TestSite
let writer: AccountRow
let me: Caller
before(async () => {
  on = await openTestSite()
  writer = await on.account('writer@example.org', 'contributor')
  me = callerOfAccount(writer, 'admin')
})
after(() => on[Symbol.asyncDispose]())

const draft = async (title: string) => (await on.ok('SVC_Content.create', { type: 'post', title }, me)).item.id as string
const refusal = async (name: string, input: Record<string, unknown>, as: Caller = me) => {
  const { code, rule } = await on.fails(name, input, as)
  return [code, rule]
}
const refused = ['refused', 'role contributor']

test('a contributor creates drafts, edits them, puts them into the trash and takes them out', async () => {
  const id = await draft('Mine')
  const { item } = await on.ok('SVC_Content.update', { id, body: 'Text.' }, me)
  assert.equal(item.status, 'draft')
  await on.ok('SVC_Content.delete', { ids: [id] }, me)
  await on.ok('SVC_Content.restore', { ids: [id] }, me)
})

test('attack 140: a contributor publishes nothing, writes no entry of somebody else, and gives none away', async () => {
  const id = await draft('Mine too')
  const theirs = (await on.ok('SVC_Content.create', { type: 'post', title: 'Theirs' })).item.id as string
  const live = await draft('Live')
  await on.ok('SVC_Content.publish', { id: live })
  const entries = async () => JSON.stringify(await on.site.store.read.selectFrom('entry').selectAll().orderBy('id').execute())
  const before = await entries()
  for (const [name, input] of [
    ['SVC_Content.publish', { id }],
    ['SVC_Content.create', { type: 'post', title: 'Now', status: 'published' }],
    ['SVC_Content.create', { type: 'post', title: 'As the owner', author: on.owner.id }],
    ['SVC_Content.update', { id, author: on.owner.id }],
    ['SVC_Content.update', { id: theirs, title: 'Mine now' }],
    ['SVC_Content.update', { id: theirs, author: writer.id }],
    ['SVC_Content.delete', { ids: [theirs] }],
    ['SVC_Content.unpublish', { id: live }],
  ] as const)
    assert.deepEqual(await refusal(name, input), refused, `${name} ${JSON.stringify(input)}`)
  assert.equal(await entries(), before)
})

test('attack 140: undo gives a contributor nothing that a call would not', async () => {
  const id = await draft('Undo me')
  on.clock.at += 1000
  const published = (await on.ok('SVC_Content.publish', { id })).activity_id
  assert.deepEqual(await refusal('SVC_Activity.undo', { ids: [published], force: true }), refused)
  const theirs = (await on.ok('SVC_Content.create', { type: 'post', title: 'Of the owner' })).activity_id
  assert.deepEqual(await refusal('SVC_Activity.undo', { ids: [theirs] }), refused)
  const mine = (await on.ok('SVC_Content.create', { type: 'post', title: 'Own' }, me)).activity_id
  await on.ok('SVC_Activity.undo', { ids: [mine] }, me)
})

test('attack 140: a batch and a token of the account are held to the role, and no token of it has the scope admin', async () => {
  const theirs = (await on.ok('SVC_Content.create', { type: 'post', title: 'Not yours' })).item.id as string
  const calls = [{ action: 'SVC_Content.update', arguments: { id: theirs, title: 'x' } }]
  assert.deepEqual(await refusal('SVC_API.batch', { calls }), refused)
  const asked = await on.fails('SVC_Tokens.create', { name: 'x', scope: 'admin', account: writer.id })
  assert.deepEqual([asked.code, asked.expected], ['refused', ['read', 'content']])
  const { token } = await on.ok('SVC_Tokens.create', { name: 'Mine', scope: 'content', account: writer.id })
  const known = await findPersonal(on.site.store.read, hashSecret(token))
  assert.ok(known)
  const caller: Caller = { ...me, tier: known.tier, account: known.account, token: known.token, door: 'api' }
  assert.deepEqual(await refusal('SVC_Content.update', { id: theirs, title: 'x' }, caller), refused)
  assert.equal((await on.ok('SVC_Content.create', { type: 'post', title: 'By token' }, caller)).item.status, 'draft')
  await on.ok('SVC_Accounts.update', { id: writer.id, role: 'content' })
  const risen = await findPersonal(on.site.store.read, hashSecret(token))
  assert.deepEqual(limitsOf({ ...caller, account: risen?.account ?? null }), [])
  await on.ok('SVC_Accounts.update', { id: writer.id, role: 'contributor' })
})

test('attack 84: of the actions that change something, a contributor runs those for entries; the others are hidden or refused', async () => {
  // Media of a contributor stay unpublished until a public entry uses them.
  const own: readonly unknown[] = ['entries', 'media', 'calls', 'nothing']
  const writes = on.site.registry.all.filter((one) => isVisible(one, me) && one.effect !== 'read')
  assert.ok(writes.length > 5)
  for (const one of writes.filter(({ touches }) => !own.includes(touches)))
    for (const { input } of one.examples) {
      const { code } = await on.fails(callName(one), { ...(input as Record<string, unknown>), dry_run: true }, me)
      assert.equal(code, 'refused', callName(one))
    }
})

test('a role covers the scopes up to its own, in their order', () => {
  const covered = roles.map((role) => scopes.filter((scope) => coversScope(role, scope)))
  assert.deepEqual(covered, [['read'], ['read', 'content'], ['read', 'content'], ['read', 'content', 'admin']])
  assert.deepEqual(roles.map(scopeOfRole), ['read', 'content', 'content', 'admin'])
})

test('whoever becomes a contributor loses sessions and apps, as with every lower role', async () => {
  const { id, epoch } = await on.account('editor@example.org', 'content')
  const epochNow = async () =>
    (await on.site.store.read.selectFrom('account').select('epoch').where('id', '=', id).executeTakeFirstOrThrow()).epoch
  await on.ok('SVC_Accounts.update', { id, role: 'contributor' })
  assert.equal(await epochNow(), epoch + 1)
  await on.ok('SVC_Accounts.update', { id, role: 'content' })
  assert.equal(await epochNow(), epoch + 1)
})

test('a contributor takes no place of somebody else among translations, also not that of an entry in the trash', async () => {
  await on.ok('SVC_Settings.update', { set: { languages: ['de', 'fr'] } })
  const page = async (title: string, more: Record<string, unknown>, as?: Caller) =>
    (await on.ok('SVC_Content.create', { type: 'page', title, ...more }, as)).item.id as string
  const first = await page('Prices', { status: 'published' })
  const german = { locale: 'de', translation_of: first }
  const theirs = await page('Preise', { ...german, status: 'published' })
  const code = async (name: string, input: Record<string, unknown>) => (await on.fails(name, input, me)).code
  const taking = { type: 'page', title: 'Statt deren', ...german }
  assert.equal(await code('SVC_Content.create', taking), 'exists')
  await on.ok('SVC_Content.delete', { ids: [theirs] })
  assert.equal(await code('SVC_Content.create', taking), 'exists')
  const french = await page('Prix', { locale: 'fr', translation_of: first }, me)
  assert.equal(await code('SVC_Content.update', { id: french, locale: 'de' }), 'exists')
  const alone = await page('Allein', { locale: 'de' }, me)
  assert.equal(await code('SVC_Content.update', { id: alone, translation_of: first }), 'exists')
  const { item } = await on.ok('SVC_Content.restore', { ids: [theirs] })
  const kept = item ?? (await on.ok('SVC_Content.get', { id: theirs })).item
  assert.equal(kept.translation_of, first, 'it comes back to its place')
  // A place that was left, or that is one's own, is free.
  await on.ok('SVC_Content.delete', { ids: [french] }, me)
  await page('Les prix', { locale: 'fr', translation_of: first }, me)
  await on.ok('SVC_Content.restore', { ids: [french] }, me)
})

test('undo takes no place of somebody else among translations for a contributor', async () => {
  const page = async (title: string, more: Record<string, unknown>, as?: Caller) =>
    (await on.ok('SVC_Content.create', { type: 'page', title, ...more }, as)).item.id as string
  const first = await page('Hours', { status: 'published' })
  const mine = await page('Zeiten', { locale: 'de', translation_of: first }, me)
  const { activity_id: left } = await on.ok('SVC_Content.update', { id: mine, translation_of: null }, me)
  const theirs = await page('Oeffnungszeiten', { locale: 'de', translation_of: first })
  await on.ok('SVC_Content.delete', { ids: [theirs] })
  assert.equal((await on.fails('SVC_Activity.undo', { ids: [left] }, me)).code, 'exists')
  await on.ok('SVC_Activity.undo', { ids: [left] })
})

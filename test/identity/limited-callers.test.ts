// Tokens and apps with limits don't get rid of them, whichever way they take. The registry test tries every action; here are the ways
// that lead through what others did, and what a limited caller may still do.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TokenLimits } from '../../src/identity/caller.ts'
import { openTestSite, type TestSite } from './open-test-site.ts'

/** A token of each kind of limit, each with all the classes there are. */
const limited: readonly TokenLimits[] = [
  { drafts_only: true },
  { types: ['post'] },
  { addresses: ['192.0.2.1'] },
  { per_minute: 100 },
  { classes: ['SVC_Accounts', 'SVC_Activity', 'SVC_Plugins', 'SVC_Content', 'SVC_Backup', 'SVC_Tokens'] },
]

/** Does a write as the owner and answers its record's id. */
async function did(on: TestSite, name: string, input: Record<string, unknown>): Promise<string> {
  on.clock.at += 1000
  return (await on.ok(name, input)).activity_id as string
}

for (const limits of limited) {
  const [limit = ''] = Object.keys(limits)
  test(`attack 140: a token limited in ${limit} undoes no change of an account or a plugin, by id, since a time, or in a batch`, async () => {
    await using on = await openTestSite()
    await on.account('writer@example.org', 'admin')
    const records = [
      await did(on, 'SVC_Accounts.update', { id: 'writer@example.org', role: 'content' }),
      await did(on, 'SVC_Accounts.update', { id: 'writer@example.org', disabled: true }),
      await did(on, 'SVC_Plugins.activate', { id: 'legacy-bridge', may: ['authenticate'] }),
      await did(on, 'SVC_Plugins.deactivate', { id: 'legacy-bridge' }),
    ]
    const as = on.as('admin', limits)
    for (const id of records) {
      for (const force of [false, true]) {
        const failure = await on.fails('SVC_Activity.undo', { ids: [id], force }, as)
        assert.deepEqual([failure.code, failure.message.includes(`limited in ${limit}`)], ['refused', true])
      }
      const calls = [{ action: 'SVC_Activity.undo', arguments: { ids: [id], force: true } }]
      assert.equal((await on.fails('SVC_API.batch', { calls }, as)).code, 'refused')
    }
    const since = { since: '2026-11-21T00:00:00Z', by: on.owner.id }
    await on.ok('SVC_Content.create', { type: 'post', title: 'By token' }, on.as('admin'))
    const { role, disabled } = (await on.ok('SVC_Accounts.get', { id: 'writer@example.org' })).item
    assert.deepEqual([role, disabled], ['content', true])
    assert.equal((await on.ok('SVC_Plugins.get', { id: 'legacy-bridge' })).item.state, 'inactive')
    assert.equal((await on.fails('SVC_Activity.undo', { ...since, force: true }, as)).code, 'refused')
  })
}

const raising = [{ role: 'admin' }, { role: 'content' }, { disabled: false }] as const
for (const limits of limited.slice(1)) {
  const [limit = ''] = Object.keys(limits)
  test(`a token limited in ${limit} makes no account, lets none do more, and may otherwise look after them`, async () => {
    await using on = await openTestSite()
    await on.account('writer@example.org', 'content')
    const as = on.as('admin', limits)
    for (const more of raising)
      assert.equal((await on.fails('SVC_Accounts.update', { id: 'writer@example.org', ...more }, as)).code, 'refused')
    assert.equal((await on.fails('SVC_Accounts.reset', { id: 'writer@example.org' }, as)).code, 'refused')
    for (const less of [{ name: 'Ada' }, { role: 'read' }, { disabled: true }])
      await on.ok('SVC_Accounts.update', { id: 'writer@example.org', ...less }, as)
  })
}

test('an account whose entries a token may not write is not deleted by it', async () => {
  await using on = await openTestSite()
  const writer = await on.account('writer@example.org', 'content')
  await on.ok('SVC_Content.create', { type: 'page', title: 'Theirs', author: writer.id })
  const given = { id: writer.id, give_to: 'owner@example.org', expect: 1 }
  const failure = await on.fails('SVC_Accounts.delete', given, on.as('admin', { types: ['post'] }))
  assert.equal(failure.rule, 'token limit types')
  await on.ok('SVC_Accounts.delete', given, on.as('admin', { types: ['page'] }))
})

test('a limit that was taken away by false is none', async () => {
  await using on = await openTestSite()
  await on.ok('SVC_Settings.update', { set: { site_title: 'Ours' } }, on.as('admin', { drafts_only: false }))
})

test('a token for backups makes and lists them; it deletes none, keeps no fewer, and puts none back', async () => {
  await using on = await openTestSite()
  const as = on.as('admin', { classes: ['SVC_Backup'] })
  const { item } = await on.ok('SVC_Backup.create', {}, as)
  assert.equal((await on.ok('SVC_Backup.list', {}, as)).items[0].id, item.id)
  for (const [action, input] of [
    ['delete', { ids: [item.id], expect: 1 }],
    ['schedule', { every: 'off', keep: { daily: 1 } }],
    ['restore', { id: item.id, expect: 1 }],
  ] as const) {
    const failure = await on.fails(`SVC_Backup.${action}`, input, as)
    assert.deepEqual([failure.code, failure.message.startsWith('Your token is limited in classes')], ['refused', true], action)
  }
  assert.equal((await on.fails('SVC_Content.list', {}, as)).code, 'unknown_action')
})

test('what a batch makes of an earlier result is held to the limits like what is said outright', async () => {
  await using on = await openTestSite()
  const as = on.as('admin', { addresses: ['192.0.2.1'] })
  const calls = [
    { action: 'SVC_Accounts.me' },
    { action: 'SVC_Accounts.update', arguments: { id: '$0.item.id', role: '$0.item.role' } },
  ]
  const failure = await on.fails('SVC_API.batch', { calls }, as)
  assert.deepEqual([failure.code, failure.field], ['refused', 'calls.1'])
})

test('an answer that was kept under a key is not answered to a token that is limited by now', async () => {
  await using on = await openTestSite()
  const set = { set: { site_title: 'Ours' }, idempotency_key: 'k1' }
  await on.ok('SVC_Settings.update', set, on.as('admin'))
  assert.equal((await on.fails('SVC_Settings.update', set, on.as('admin', { drafts_only: true }))).code, 'refused')
})

const unknownNames = { by: 'nobody@example.org', token: 'No such token' }
const knownNames = { by: 'owner@example.org', token: 'Secret plans' }

for (const field of ['by', 'token'] as const) {
  test(`attack 143: undo by a foreign ${field} answers a content caller the same, known or not`, async () => {
    await using on = await openTestSite()
    const writer = await on.account('writer@example.org', 'content')
    await on.ok('SVC_Tokens.create', { name: knownNames.token, scope: 'read' })
    await on.ok('SVC_Content.create', { type: 'post', title: 'By the owner' })
    const as = { ...on.as('content'), account: { ...writer, role: 'content' as const } }
    const ask = (name: string) => on.ok('SVC_Activity.undo', { since: '2026-01-01', [field]: name, dry_run: true }, as)
    assert.deepEqual(await ask(knownNames[field]), await ask(unknownNames[field]))
    assert.deepEqual((await ask(unknownNames[field])).done, [])
  })

  test(`attack 143: an admin limited to other classes learns no more of a ${field}, and one that is not is told`, async () => {
    await using on = await openTestSite()
    await on.ok('SVC_Tokens.create', { name: knownNames.token, scope: 'read' })
    await on.ok('SVC_Content.create', { type: 'post', title: 'By the owner' })
    const undo = { since: '2026-01-01', dry_run: true }
    const limitedAs = { ...on.as('admin', { classes: ['SVC_Activity', 'SVC_Content'] }), account: null }
    for (const name of [knownNames[field], unknownNames[field]])
      assert.deepEqual((await on.ok('SVC_Activity.undo', { ...undo, [field]: name }, limitedAs)).done, [])
    assert.equal((await on.fails('SVC_Activity.undo', { ...undo, [field]: unknownNames[field] })).code, 'not_found')
  })
}

test('attack 143: a list of activity filtered by an address tells nobody below admin whose it is', async () => {
  await using on = await openTestSite()
  const writer = await on.account('writer@example.org', 'content')
  await on.ok('SVC_Content.create', { type: 'post', title: 'By the owner' })
  const as = { ...on.as('content'), account: { ...writer, role: 'content' as const } }
  const listed = async (by: string, who = as) => (await on.ok('SVC_Activity.list', { where: { by } }, who)).items.length
  assert.deepEqual([await listed(knownNames.by), await listed(unknownNames.by)], [0, 0])
  assert.equal(await listed(on.owner.id), 1, 'an id, which records tell')
  await on.ok('SVC_Content.create', { type: 'post', title: 'By the writer' }, as)
  assert.equal(await listed('Writer@Example.org'), 1, 'their own address')
  assert.equal((await on.ok('SVC_Activity.list', { where: { by: knownNames.by } })).items.length, 1)
})

test("undo below admin takes back a token's work by the name or id that records tell; a name of several tokens names none", async () => {
  await using on = await openTestSite()
  const by = (id: string) => {
    const caller = on.as('content')
    return { ...caller, token: { ...caller.token!, id, name: 'Robot' } }
  }
  for (const id of ['one', 'two']) await on.ok('SVC_Content.create', { type: 'post', title: id }, by(id))
  const failure = await on.fails('SVC_Activity.undo', { since: '2026-01-01', token: 'Robot' }, on.as('content'))
  assert.deepEqual([failure.code, failure.found], ['conflict', 2])
  assert.equal((await on.ok('SVC_Activity.undo', { since: '2026-01-01', token: 'one' }, on.as('content'))).done.length, 1)
})

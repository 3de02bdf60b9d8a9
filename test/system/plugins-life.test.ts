// A plugin's life by actions, once it is there: confirmed, configured, updated, undone, quarantined. What it does while it is active is told
// elsewhere.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { smallPlugin, zipOfFixture } from '../packages.ts'
import { base64, pluginCalls, usefulRights } from '../plugin-calls.ts'
import { until } from '../plugin-site.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
const { activateUseful, deleteAll, get, install, installUseful, pluginsFolder, update } = pluginCalls(() => site)
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())
afterEach(deleteAll)

test('the bundled bridge is listed, inactive, before anybody has touched it', async () => {
  const { items } = await site.call('SVC_Plugins.list')
  const bridge = items.find(({ id }: { id: string }) => id === 'legacy-bridge')
  assert.equal(bridge.bundled, true)
  assert.equal(bridge.state, 'inactive')
  assert.equal('may' in bridge, false, 'a list is lean')
  const selected = await site.call('SVC_Plugins.list', { select: ['id', 'may'] })
  assert.deepEqual(selected.items, [
    { id: 'legacy-bridge', may: [{ right: 'authenticate', means: 'say who is let in by X-API-Key' }] },
  ])
})

for (const [rule, may] of [
  ['none', undefined],
  ['fewer', []],
  ['more', [...usefulRights, 'authenticate']],
  ['others', ['call:SVC_Content.get']],
] as const) {
  test(`activate with ${rule} of its rights is refused, and tells each with what it means`, async () => {
    await installUseful()
    const answer = await site.api('SVC_Plugins.activate', { id: 'useful', ...(may ? { may } : {}) })
    assert.equal(answer.json.error.code, 'refused', answer.text)
    assert.deepEqual(answer.json.error.expected, [{ right: 'call:SVC_Content.*', means: 'call every action of SVC_Content' }])
    assert.match(answer.json.error.hint, /\["call:SVC_Content\.\*"\]/)
    assert.equal((await get('useful')).state, 'inactive')
  })
}

test('activated with its rights, its actions are there on both doors; deactivated, they are unknown', async () => {
  await installUseful()
  const { item } = await activateUseful()
  assert.equal(item.state, 'active')
  assert.equal(item.confirmed, true)
  assert.deepEqual(item.actions, ['USEFUL_Words.count', 'USEFUL_Words.count-entry'])
  assert.deepEqual(item.filters, ['entry.html'])
  assert.deepEqual(item.routes, ['GET /ext/useful/hello'])
  assert.deepEqual(item.events, ['entry.published'])
  assert.deepEqual(item.jobs, ['every 15 minutes'])
  assert.deepEqual(await site.call('USEFUL_Words.count', { text: 'one two three' }), { words: 3, minutes: 1 })
  const listed = (await site.call('SVC_API.list-actions', { search: 'words' })).items as { class: string }[]
  assert.ok(listed.some(({ class: ofClass }) => ofClass === 'USEFUL_Words'))
  await site.call('SVC_Plugins.deactivate', { id: 'useful' })
  assert.equal((await site.api('USEFUL_Words.count', { text: 'x' })).json.error.code, 'unknown_action')
  assert.equal((await get('useful')).state, 'inactive')
})

test('undo takes an activation back, and an installation; its files stay, and installing anew finds them', async () => {
  const { activity_id: installed } = await installUseful()
  const { activity_id: activated } = await activateUseful()
  await site.call('SVC_Activity.undo', { ids: [activated] })
  const item = await get('useful')
  assert.deepEqual([item.state, item.confirmed, item.actions], ['inactive', false, []])
  await site.call('SVC_Activity.undo', { ids: [installed] })
  assert.equal((await site.api('SVC_Plugins.get', { id: 'useful' })).json.error.code, 'not_found')
  assert.ok(existsSync(join(pluginsFolder(), 'useful')))
  await installUseful()
})

test('no undo makes a plugin active with rights that nobody confirmed', async () => {
  await installUseful()
  await activateUseful()
  const { activity_id: switchedOff } = await site.call('SVC_Plugins.deactivate', { id: 'useful' })
  await update(zipOfFixture('useful', { version: '2.0.0', may: [...usefulRights, 'reach:api.example.com'] }))
  assert.equal((await site.api('SVC_Activity.undo', { ids: [switchedOff] })).json.error.code, 'conflict')
  await site.api('SVC_Activity.undo', { ids: [switchedOff], force: true })
  assert.equal((await get('useful')).state, 'inactive')
})

test('an update with no more rights stays active, with the new version’s actions; undo brings the old one back', async () => {
  await installUseful()
  await activateUseful()
  const newer = await update(
    zipOfFixture(
      'useful',
      { version: '1.1.0' },
      { 'words.js': 'export const countWords = () => 7\nexport const textOf = (html) => html\n' },
    ),
  )
  assert.equal(newer.json.data.item.state, 'active', newer.text)
  assert.equal(newer.json.data.item.version, '1.1.0')
  assert.deepEqual(newer.json.data.warnings, [])
  assert.equal((await site.call('USEFUL_Words.count', { text: 'one' })).words, 7)
  await site.call('SVC_Activity.undo', { ids: [newer.json.data.activity_id] })
  assert.equal((await get('useful')).version, '1.0.0')
  assert.equal((await site.call('USEFUL_Words.count', { text: 'one' })).words, 1)
})

test('an update that asks for more rights makes it inactive and names them; an older version is taken with a warning', async () => {
  await installUseful()
  await activateUseful()
  const more = await update(zipOfFixture('useful', { version: '2.0.0', may: [...usefulRights, 'reach:api.example.com'] }))
  assert.equal(more.json.data.item.state, 'inactive', more.text)
  assert.equal(more.json.data.item.confirmed, false)
  assert.match(more.json.data.warnings[0].message, /send requests to api\.example\.com/)
  const older = await update(zipOfFixture('useful', { version: '0.9.0' }))
  assert.deepEqual(
    older.json.data.warnings.map(({ code }: { code: string }) => code),
    ['not_newer'],
  )
})

test('an update of what is not installed is not found, of what is bundled refused; a stale if_revision is a conflict and leaves no file', async () => {
  assert.equal((await update(zipOfFixture('useful'))).json.error.code, 'not_found')
  assert.equal((await update(smallPlugin('legacy-bridge'))).json.error.code, 'refused')
  const { item } = await installUseful()
  await site.call('SVC_Plugins.configure', { id: 'useful', settings: { greeting: 'Hi' } })
  const before = await readdir(join(pluginsFolder(), 'useful'))
  const stale = await update(zipOfFixture('useful', { version: '1.1.0' }), { if_revision: item.revision })
  assert.equal(stale.json.error.code, 'conflict', stale.text)
  assert.deepEqual(await readdir(join(pluginsFolder(), 'useful')), before)
})

test('settings are shown as they hold; of a secret only whether it is set, and it is in no answer, diff or record', async () => {
  const zip = smallPlugin('keeper', {
    settings: {
      key: { kind: 'secret', label: 'Key' },
      size: { kind: 'choice', label: 'Size', options: ['s', 'm'], default: 's' },
    },
  })
  await install(zip)
  const settings = { key: 'hush-hush', size: 'm' }
  const dry = await site.api('SVC_Plugins.configure', { id: 'keeper', settings, dry_run: true })
  const done = await site.api('SVC_Plugins.configure', { id: 'keeper', settings })
  assert.deepEqual(done.json.data.changed, ['settings'])
  const shown = done.json.data.item.settings
  assert.deepEqual(
    shown.map(({ key, value }: { key: string; value: unknown }) => [key, value]),
    [
      ['key', true],
      ['size', 'm'],
    ],
  )
  const record = await site.api('SVC_Activity.get', { id: done.json.data.activity_id })
  for (const answer of [dry, done, record]) assert.ok(!answer.text.includes('hush'), answer.text)
  assert.ok(!site.log.join('\n').includes('hush'))
  const wrong = await site.api('SVC_Plugins.configure', { id: 'keeper', settings: { size: 'xl', key: 'hush-hush' } })
  assert.deepEqual([wrong.json.error.code, wrong.json.error.field], ['invalid', 'settings.size'])
})

test('the settings reach the plugin: at once where it is active, and a default comes back with null', async () => {
  await installUseful()
  await activateUseful()
  await site.call('SVC_Plugins.configure', { id: 'useful', settings: { words_per_minute: 1 } })
  assert.equal((await site.call('USEFUL_Words.count', { text: 'one two three' })).minutes, 3)
  await site.call('SVC_Plugins.configure', { id: 'useful', settings: { words_per_minute: null } })
  assert.equal((await site.call('USEFUL_Words.count', { text: 'one two three' })).minutes, 1)
})

test('a plugin whose activate throws is quarantined, and the call fails with its name and a reference that the log has', async () => {
  await install(smallPlugin('broken', {}, "throw new Error('no luck')"))
  assert.equal((await site.api('SVC_Plugins.activate', { id: 'broken', dry_run: true })).json.error.code, 'failed')
  assert.equal((await get('broken')).state, 'inactive', 'a dry run quarantines nothing')
  const answer = await site.api('SVC_Plugins.activate', { id: 'broken' })
  assert.equal(answer.status, 500)
  assert.equal(answer.json.error.code, 'failed')
  assert.equal(answer.json.error.plugin, 'broken')
  const told = `"reference":"${answer.json.error.reference}"`
  await until('the log has it', () => site.log.some((line) => line.includes(told)))
  const item = await get('broken')
  assert.equal(item.state, 'quarantined')
  assert.match(item.reason, /no luck/)
  const { item: after } = await site.call('SVC_Plugins.deactivate', { id: 'broken' })
  assert.deepEqual([after.state, after.reason], ['inactive', null])
})

test('attack 114: a plugin that registers another’s class is refused, and stays inactive', async () => {
  const input = "{ type: 'object', properties: {} }"
  const action = `{ class: 'SVC_Content', action: 'get', summary: 'Mine.', tier: 'any', effect: 'read', input: ${input}, output: ${input}, run: () => ({}) }`
  await install(smallPlugin('thief', {}, `postern.action(${action})`))
  const answer = await site.api('SVC_Plugins.activate', { id: 'thief' })
  assert.equal(answer.json.success, false, answer.text)
  assert.notEqual((await get('thief')).state, 'active')
})

test('on a release that does nothing about a fatal, a plugin whose activate throws is active all the same, with a warning', async () => {
  await using old = await openSite({ release: '0.11' })
  const zip = await smallPlugin('broken', {}, "throw new Error('no luck')")
  await old.call('SVC_Plugins.install', { base64: base64(zip) })
  const { item, warnings } = await old.call('SVC_Plugins.activate', { id: 'broken' })
  assert.equal(item.state, 'active')
  assert.equal(warnings[0].code, 'plugin_failed')
})

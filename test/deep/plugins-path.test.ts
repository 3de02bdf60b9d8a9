// What a plugin can do on a running site: guard calls, act with its rights, change pages, serve some, be told of what happens.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { zipOfFixture } from '../packages.ts'
import { base64 } from '../plugin-calls.ts'
import { activate, addPlugins, childrenOf, until } from '../plugin-site.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

/** Has these plugins active, and no others: starting one takes a process or two, so that tests leave theirs to those that follow. */
async function activeOnly(...names: readonly string[]): Promise<void> {
  const items = (await site.call('SVC_Plugins.list')).items as { id: string; state: string }[]
  for (const { id } of items.filter((one) => one.state === 'active' && !names.includes(one.id)))
    await site.call('SVC_Plugins.deactivate', { id })
  for (const name of names) {
    const state = items.find(({ id }) => id === name)?.state
    if (state === undefined) await addPlugins(site, name)
    else if (state !== 'active') await activate(site, name)
  }
}

const tool = (action: string, input: object) =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'SVC_API__call-action', arguments: { action, arguments: input } },
  })

const mcp = { method: 'POST', headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' } }

test('a guard before dispatch refuses a call on both doors, with its own words, and lets others pass', async () => {
  await activeOnly('chores')
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Stays' })
  const refused = await site.api('SVC_Content.delete', { ids: [item.id] })
  assert.equal(refused.status, 422)
  assert.equal(refused.json.error.code, 'refused')
  assert.equal(refused.json.error.message, 'Nothing is thrown away on this site.')
  assert.match(refused.json.error.rule, /chores/)
  const overMcp = await site.send('/mcp/', { ...mcp, body: tool('SVC_Content.delete', { ids: [item.id] }) })
  assert.equal(overMcp.status, 200)
  assert.equal(overMcp.json.result.isError, true)
  assert.equal(overMcp.json.result.structuredContent.error.message, 'Nothing is thrown away on this site.')
  const kept = await site.call('SVC_Content.get', { id: item.id })
  assert.equal(kept.item.status, 'draft')
  const titled = await site.api('SVC_Content.create', { type: 'page', title: 'forbidden' })
  assert.equal(titled.json.error.message, 'Not that title.')
})

test('what a guard refuses by itself it refuses in a batch, over both doors', async () => {
  await activeOnly('chores')
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Stays' })
  const deleting = { action: 'SVC_Content.delete', arguments: { ids: [item.id] } }
  const calls = [{ action: 'SVC_API.welcome' }, deleting]
  const refused = await site.api('SVC_API.batch', { calls })
  assert.equal(refused.json.error?.message, 'Nothing is thrown away on this site.')
  const overMcp = await site.send('/mcp/', {
    ...mcp,
    body: tool('SVC_API.batch', { calls: [{ class: 'SVC_Content', action: 'delete', arguments: { ids: [item.id] } }] }),
  })
  assert.equal(overMcp.json.result.structuredContent.error?.message, 'Nothing is thrown away on this site.')
  assert.equal((await site.call('SVC_Content.get', { id: item.id })).item.status, 'draft')
  assert.equal((await site.api('SVC_API.batch', { calls: [null, { action: 1 }] })).json.error.code, 'invalid')
  assert.equal((await site.api('SVC_API.batch', { calls: [{ action: 'SVC_API.welcome' }] })).status, 200)
})

test('an action of a plugin is listed, described, checked and run as any other', async () => {
  await activeOnly('useful')
  const listed = await site.call('SVC_API.list-actions', { arguments: { class: 'USEFUL_Words', names: true } }, { token: null })
  assert.deepEqual(listed.classes, { USEFUL_Words: ['count'] }, 'an anonymous caller sees its own tier')
  assert.deepEqual(await site.call('USEFUL_Words.count', { text: 'one two three' }, { token: null }), { words: 3, minutes: 1 })
  const wrong = await site.api('USEFUL_Words.count', { txt: 'one' })
  assert.equal(wrong.json.error.code, 'invalid')
  assert.equal(wrong.json.error.field, 'txt')
  const hidden = await site.api('USEFUL_Words.count-entry', { id: '/about' }, { token: null })
  assert.equal(hidden.json.error.message, 'Unknown tool: USEFUL_Words.count-entry')
  await site.call('SVC_Plugins.deactivate', { id: 'useful' })
  assert.equal((await site.api('USEFUL_Words.count', { text: 'x' })).json.error.code, 'unknown_action')
})

test('a plugin calls with the rights that were confirmed, and its own failures are told in its words', async () => {
  await activeOnly('useful', 'chores')
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Empty', body: '' })
  const failed = await site.api('USEFUL_Words.count-entry', { id: item.id })
  assert.equal(failed.status, 422)
  assert.equal(failed.json.error.message, 'This entry has no text.')
  const made = await site.call('CHORES_Work.note', { title: 'From a plugin' })
  assert.match(made.activity_id, /^\w+$/)
  const written = await site.call('SVC_Activity.list', { where: { door: 'plugin' } })
  assert.equal(written.items[0].call, 'SVC_Content.create')
  assert.equal(written.items[0].by, 'plugin chores')
})

test('attack 114: what was not confirmed does not exist for a plugin, credentials and plugins least of all', async () => {
  await activeOnly('chores')
  for (const call of [
    'SVC_Settings.update',
    'SVC_Tokens.create',
    'SVC_Plugins.activate',
    'SVC_Content.delete',
    'SVC_API.batch',
    'SVC_API.nothing',
  ]) {
    const { said } = await site.call('CHORES_Work.overreach', { call })
    assert.equal(said, `unknown_action: Unknown tool: ${call}`)
  }
})

test('a dry run of a plugin’s action changes nothing through the calls that it makes', async () => {
  await activeOnly('chores')
  const before = await site.call('SVC_Content.list', { count: true })
  const written = () => site.call('SVC_Activity.list', { where: { door: 'plugin' } })
  const writtenBefore = await written()
  const answer = await site.call('CHORES_Work.note', { title: 'Only in theory', dry_run: true })
  assert.equal(answer.activity_id, null)
  assert.equal((await site.call('SVC_Content.list', { count: true })).total, before.total)
  assert.deepEqual(await written(), writtenBefore)
})

test('attack 86: a plugin’s action that is sent again under its key runs once, also at the same moment', async () => {
  await activeOnly('chores')
  const send = () => site.api('CHORES_Work.note', { title: 'Once', idempotency_key: 'once-1' })
  const answers = await Promise.all(Array.from({ length: 5 }, send))
  const done = answers.filter(({ json }) => json.success)
  const waiting = answers.filter(({ json }) => !json.success)
  assert.ok(done.length >= 1)
  for (const { json } of waiting) assert.equal(json.error.code, 'unavailable')
  assert.deepEqual((await send()).json.data, done[0]?.json.data)
  assert.equal((await site.call('SVC_Content.list', { where: { title: 'Once' }, count: true })).total, 1)
})

test('what a plugin’s action did is recorded, and kept under its key, also where it can’t be answered as it was asked', async () => {
  await activeOnly('chores')
  const call = { title: 'Done', idempotency_key: 'done-1' }
  const recorded = async () => (await site.call('SVC_Activity.list', { where: { call: 'CHORES_Work.note' } })).items
  const before = await recorded()
  const wrong = await site.api('CHORES_Work.note', { ...call, select: ['nothing'] })
  assert.equal(wrong.json.error.code, 'invalid')
  const { activity_id: id } = await site.call('CHORES_Work.note', call)
  assert.equal((await site.call('SVC_Content.list', { where: { title: 'Done' }, count: true })).total, 1)
  const [newest, ...others] = await recorded()
  assert.equal(newest.id, id)
  assert.deepEqual(others, before)
})

test('attack 87: in a dry run neither a plugin’s activation nor its action writes or reaches anything', async () => {
  const { item } = await site.call('SVC_Plugins.install', { base64: base64(await zipOfFixture('hasty')) })
  const may = item.may.map((one: { right: string }) => one.right)
  const made = async () => (await site.call('SVC_Content.list', { where: { title: 'Made in haste' }, count: true })).total
  await site.call('SVC_Plugins.activate', { id: 'hasty', may, dry_run: true })
  assert.equal(await made(), 0)
  await site.call('SVC_Plugins.activate', { id: 'hasty', may })
  assert.equal(await made(), 1)
  const { said } = await site.call('HASTY_Word.ask', { dry_run: true })
  assert.equal(said, 'A dry run sends no requests.')
})

test('a path of a plugin is served by each method that it has there, and what is no page is told with a reference', async () => {
  await activeOnly('hasty')
  assert.equal((await site.send('/ext/hasty/form')).text, 'a form')
  assert.equal((await site.send('/ext/hasty/form', { method: 'POST', body: '' })).status, 201)
  const none = await site.send('/ext/hasty/form', { method: 'DELETE' })
  assert.deepEqual([none.status, none.headers.get('allow')?.split(', ').sort()], [405, ['GET', 'HEAD', 'POST']])
  for (const path of ['/odd', '/bare']) {
    const odd = await site.send(`/ext/hasty${path}`)
    assert.equal(odd.status, 500)
    const reference = /the log has it as (\w+)/.exec(odd.text)?.[1] ?? 'none'
    assert.ok(site.log.some((line) => line.includes(reference) && line.includes(`GET ${path}`)))
  }
})

test('an output without properties admits any object, also one within another, and of an action that acts', async () => {
  await addPlugins(site, 'chores')
  const thing = { any: { thing: [1, null] }, 'with any name': true }
  assert.deepEqual(await site.call('CHORES_Work.pass-on', { thing: JSON.stringify(thing) }), thing)
  const { activity_id: id, ...passed } = await site.call('CHORES_Work.pass-on-acting', { thing: JSON.stringify(thing) })
  assert.deepEqual(passed, thing)
  assert.match(id, /^\w+$/)
  const counted = await site.api('CHORES_Work.count', { thing: '{"total": 1, "apples": 2, "pears": "x"}' })
  assert.deepEqual([counted.status, counted.json.error.code], [500, 'failed'])
  const told = `"reference":"${counted.json.error.reference}"`
  await until('the log has it', () => site.log.some((line) => line.includes(told) && line.includes('"member":"pears"')))
  assert.deepEqual(await site.call('CHORES_Work.count', { thing: '{"total": 1, "apples": 2}' }), { total: 1, apples: 2 })
  const list = await site.api('CHORES_Work.pass-on', { thing: '[1]' })
  assert.equal(list.json.error.code, 'failed', 'a list is no object')
})

test('an answer that the action does not declare is told as the plugin’s fault, and costs it no strike', async () => {
  await activeOnly('chores')
  const wrong = await site.api('CHORES_Work.misanswer')
  assert.equal(wrong.status, 500)
  assert.equal(wrong.json.error.plugin, 'chores')
  const told = `"reference":"${wrong.json.error.reference}"`
  await until('the log has it', () => site.log.some((line) => line.includes(told)))
  const line = JSON.parse(site.log.find((one) => one.includes(told)) ?? '{}')
  assert.deepEqual([line.member, line.expected], ['unsaid', 'it takes said'], 'the log names the member')
  assert.equal((await site.call('SVC_Plugins.get', { id: 'chores' })).item.state, 'active')
})

test('a filter changes an entry’s page and its HTML over /api/; what it adds is cleaned; without it the page is as before', async () => {
  await activeOnly()
  const body = Array.from({ length: 450 }, () => 'word').join(' ')
  await site.call('SVC_Content.create', { type: 'page', title: 'Long', slug: 'long', body, status: 'published' })
  const plain = await site.send('/long')
  await activeOnly('useful', 'injects')
  const page = await site.send('/long')
  assert.match(page.text, /<p>Reading time: 3 min<\/p>/)
  assert.doesNotMatch(page.text, /evil|onclick/)
  assert.match(page.text, /what is left of it/)
  const { item } = await site.call('SVC_Content.get', { id: '/long', format: 'html' })
  assert.match(item.html, /Reading time: 3 min/)
  await site.call('SVC_Plugins.deactivate', { id: 'useful' })
  await site.call('SVC_Plugins.deactivate', { id: 'injects' })
  assert.equal((await site.send('/long')).text, plain.text)
})

test('a filter over whole pages changes the home page, and one that breaks is left out of what is not kept', async () => {
  await activeOnly('chores')
  assert.match((await site.send('/')).text, /Swept daily\./)
  await activeOnly('chores', 'tears')
  const torn = await site.send('/')
  assert.equal(torn.status, 200)
  assert.match(torn.text, /Swept daily\./)
  assert.equal(torn.headers.get('cache-control'), 'no-store')
})

test('a plugin’s pages are kept apart: no cookie or token in, none out, no script, a policy of ours', async () => {
  await using site = await openSite({ basePath: '/blog' })
  await addPlugins(site, 'chores', 'useful')
  const hello = await site.send('/ext/useful/hello', { token: null })
  assert.equal(hello.text, 'Hello from a plugin.')
  const echo = await site.send('/ext/chores/echo/one%20two?a=b', {
    method: 'POST',
    body: 'ünï',
    headers: {
      cookie: 'postern=mine',
      'x-api-key': 'k',
      'x-forwarded-for': '1.2.3.4',
      'x-postern-probe': 'p',
      'x-hub-signature': 'sha1=1',
      'content-type': 'text/plain',
    },
  })
  assert.equal(echo.status, 201)
  const seen = echo.json
  assert.equal(seen.body, 'ünï')
  assert.deepEqual(seen.params, { word: 'one two' })
  assert.deepEqual(seen.query, { a: 'b' })
  assert.equal(seen.headers['x-hub-signature'], 'sha1=1')
  for (const name of ['cookie', 'authorization', 'x-api-key', 'x-forwarded-for', 'x-postern-probe'])
    assert.equal(seen.headers[name], undefined, name)
  const page = await site.send('/ext/chores/page')
  assert.equal(page.headers.get('set-cookie'), null)
  assert.equal(page.headers.get('x-frame-options'), null)
  assert.match(page.headers.get('content-security-policy') ?? '', /sandbox/)
  const script = await site.send('/ext/chores/script.js')
  assert.equal(script.headers.get('content-type'), 'text/plain; charset=utf-8')
  assert.equal(script.headers.get('x-content-type-options'), 'nosniff')
  assert.equal((await site.send('/ext/chores/away')).headers.get('location'), '/blog/ext/chores/page')
  for (const path of ['/ext/chores/none', '/ext/nobody/hello', '/ext/', '/ext/chores/../useful/hello%2f..'])
    assert.ok((await site.send(path)).status === 404, path)
  assert.equal((await site.send('/ext/chores/page', { method: 'POST', body: '' })).status, 405)
})

test('plugins are told of what happened, and what they log is in the log', async () => {
  await activeOnly('chores')
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'News', status: 'published' })
  await until('the plugin logged it', async () => {
    const { items } = await site.call('SVC_Logs.list', { where: { plugin: 'chores' } })
    return items.some((line: { message: string }) => line.message === `published ${item.id}`)
  })
})

test('with no active plugin there is no process; one is started when it is needed, and only then', async () => {
  const hosts = () => childrenOf(site.pid).filter((command) => command.includes('plugins/host.js'))
  await activeOnly('useful')
  await site.call('SVC_Plugins.deactivate', { id: 'useful' })
  await until('the process has gone', () => hosts().length === 0)
  await site.call('SVC_Plugins.activate', { id: 'useful', may: ['call:SVC_Content.*'] })
  await until('the trial has gone', () => hosts().length === 0)
  await site.call('SVC_API.welcome')
  assert.equal(hosts().length, 0)
  await site.call('USEFUL_Words.count', { text: 'a' })
  assert.equal(hosts().length, 1)
})

test('another process of the site has a plugin’s action a moment later, and loses it so', async () => {
  await activeOnly()
  await using other = await openSite({ home: site.home, ownProcess: true })
  await activeOnly('useful')
  const count = () => other.api('USEFUL_Words.count', { text: 'a b' }, { token: null })
  await until('the other has it', async () => (await count()).json.success === true)
  await site.call('SVC_Plugins.deactivate', { id: 'useful' })
  await until('the other has it no more', async () => (await count()).json.error?.code === 'unknown_action')
})

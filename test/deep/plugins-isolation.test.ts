// A plugin that misbehaves costs itself, never the site: the service answers while it is at it, and after.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { after, afterEach, before, test } from 'node:test'
import autocannon from 'autocannon'
import { smallPlugin } from '../packages.ts'
import { base64, pluginCalls } from '../plugin-calls.ts'
import { addPlugins, childrenOf, until } from '../plugin-site.ts'
import { type Answer, openSite, type ProcessSite } from '../site.ts'

let site: ProcessSite
before(async () => {
  site = await openSite({ ownProcess: true })
})
after(() => site[Symbol.asyncDispose]())
afterEach(pluginCalls(() => site).deleteAll)

const hosts = (on: ProcessSite = site) => childrenOf(on.process.pid ?? 0).filter((command) => command.includes('plugins/host.js'))

/** Each way to misbehave, and what the log says of it. */
const ways: readonly { how: string; attack: string; reason: RegExp }[] = [
  { how: 'exit', attack: '111', reason: /exit/ },
  { how: 'hoard', attack: '111', reason: /memory|exit|timeout/ },
  { how: 'reject', attack: '111', reason: /threw/ },
  { how: 'buffers', attack: '112', reason: /memory|exit|timeout/ },
]

/** An answer that tells of a plugin's failure, with the log's reason for it. */
async function holdFailure({ status, json }: Answer, plugin: string, reason: RegExp): Promise<void> {
  assert.equal(status, 500)
  assert.equal(json.error.plugin, plugin)
  const told = `"reference":"${json.error.reference}"`
  await until('the log says why', () => site.log.some((line) => line.includes(told) && reason.test(line)))
}

for (const { how, attack, reason } of ways) {
  test(`attack ${attack}: an action that does "${how}" ends its process and is told as a failure; the site lives`, async () => {
    await addPlugins(site, 'trouble')
    assert.equal((await site.api('SVC_API.welcome')).json.success, true)
    const [atWork] = hosts()
    assert.ok(atWork)
    const [broken, welcome, page] = await Promise.all([
      site.api('TROUBLE_Maker.make', { how }),
      site.api('SVC_API.welcome'),
      site.send('/'),
    ])
    await holdFailure(broken, 'trouble', reason)
    assert.equal(welcome.json.success, true)
    assert.equal(page.status, 200)
    await until('its process has gone', () => !hosts().includes(atWork))
    assert.equal((await site.api('SVC_Content.list')).json.success, true)
  })
}

test('attack 111: plugins that loop for ever or never answer hold up nobody; what is sent meanwhile is answered, and their time ends', async (t) => {
  await addPlugins(site, 'loops')
  const waits = `postern.action({
    class: 'WAITS_Words', action: 'go', summary: 'Waits.', tier: 'any', effect: 'read',
    input: { type: 'object', properties: {} }, output: { type: 'object', properties: {} },
    run: () => new Promise(() => undefined),
  })`
  await site.call('SVC_Plugins.install', { base64: base64(await smallPlugin('waits', {}, waits)) })
  await site.call('SVC_Plugins.activate', { id: 'waits' })
  let looped = false
  const looping = site.api('LOOPS_Words.go').finally(() => (looped = true))
  const waiting = site.api('WAITS_Words.go')
  await until('both are at it', () => hosts().length === 2)
  const load = await autocannon({
    url: `${site.base}/api/`,
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}` },
    body: JSON.stringify({ action: 'SVC_API.list-actions' }),
    connections: 4,
    amount: 600,
    overallRate: 200,
  })
  t.diagnostic(`${load['2xx']} answers in ${load.duration} s, the loop ${looped ? 'was ended by then' : 'still went on'}`)
  assert.equal(load['2xx'], 600)
  assert.equal(load.non2xx + load.errors + load.timeouts, 0)
  await holdFailure(await looping, 'loops', /timeout/)
  await holdFailure(await waiting, 'waits', /timeout/)
  await until('their processes have gone', () => hosts().length === 0)
})

test('three failures quarantine a plugin, and each process of the site tells its owner so, and what is unguarded', async () => {
  await using other = await openSite({ home: site.home, ownProcess: true })
  await addPlugins(site, 'trouble')
  for (const how of ['throw', 'exit', 'exit']) assert.equal((await site.api('TROUBLE_Maker.make', { how })).status, 500)
  const state = async () => (await site.call('SVC_Plugins.get', { id: 'trouble' })).item.state
  await until('it is quarantined', async () => (await state()) === 'quarantined')
  const told = (await site.call('SVC_Plugins.get', { id: 'trouble' })).item.errors as { message: string }[]
  assert.deepEqual(
    told.slice(0, 3).map(({ message }) => /on purpose, with password: …/.test(message)),
    [false, false, true],
  )
  const unguarded = /trouble ended by itself.*\. Calls that it would refuse are let through until it is activated again\./
  for (const one of [site, other]) {
    const call = (name: string, input: object) => one.call(name, { ...input }, { token: site.token })
    const health = async () => (await call('SVC_Health.check', { only: ['plugins'] })).items[0]
    await until('its health tells of it', async () => (await health()).state === 'warning')
    assert.match((await health()).message, unguarded)
    assert.match((await call('SVC_Plugins.get', { id: 'trouble' })).item.reason, unguarded)
    const { items } = await call('SVC_Logs.list', { where: { plugin: 'trouble' } })
    const line = items.find(({ message }: { message: string }) => message === 'plugin quarantined')
    assert.match(line.fields.reason, unguarded)
    const thrown = items.find(({ fields }: { fields: { reason: string } }) => fields.reason === 'threw')
    assert.match(thrown.fields.trace, /^at \S+ \(index\.js:\d+:\d+\)$/m)
  }
})

/** How many files a service may have open; sets it where a number is given. */
function openFiles(pid: string, most?: number): number {
  if (most !== undefined) execFileSync('prlimit', ['--pid', pid, `--nofile=${most}:`])
  return Number(execFileSync('prlimit', ['--pid', pid, '--nofile', '--output=SOFT', '--noheadings'], { encoding: 'utf8' }))
}

test('where no file can be opened any more, a call of a plugin is unavailable; the site lives, and the plugin stays active', async () => {
  await addPlugins(site, 'useful')
  const pid = String(site.process.pid)
  const usual = openFiles(pid)
  const open = readdirSync(`/proc/${pid}/fd`).length
  try {
    // Of the plugin's folder nothing can be read; it can, but no pipe be made; a few pipes can.
    for (const most of [open - 5, open + 1, open + 8]) {
      openFiles(pid, most)
      const { status, json, text } = await site.api('USEFUL_Words.count', { text: 'one two' })
      assert.deepEqual([status, json.error?.code], [503, 'unavailable'], text)
      assert.ok(!text.includes(site.home), text)
    }
  } finally {
    openFiles(pid, usual)
  }
  assert.equal((await site.call('USEFUL_Words.count', { text: 'one two' })).words, 2)
  assert.equal((await site.call('SVC_Plugins.get', { id: 'useful' })).item.state, 'active')
})

test('a stop of the service leaves no plugin’s process behind', async () => {
  await using own = await openSite({ ownProcess: true })
  await addPlugins(own, 'useful')
  await own.call('USEFUL_Words.count', { text: 'a' })
  const [host] = hosts(own)
  assert.ok(host)
  assert.equal(await own.stop(), 0)
  assert.ok(!existsSync(`/proc/${host.split(' ')[0]}`))
})

test('a plugin reaches only hosts that were confirmed, and nothing of the network it runs in', async () => {
  await using inside = await openSite({ bare: true })
  await addPlugins(site, 'reaches')
  const before = inside.log.length
  const addresses = [
    `http://localhost:${inside.port}/healthz`,
    'http://localhost/',
    'http://127.0.0.1/',
    'https://example.com/',
    'file:///etc/passwd',
    'nonsense',
  ]
  for (const url of addresses) assert.deepEqual((await site.call('REACHES_Out.ask', { url })).said, 'unreachable', url)
  assert.equal(inside.log.length, before)
})

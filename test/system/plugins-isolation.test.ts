// A plugin that misbehaves costs itself, never the site: the service answers while it is at it, and after.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import autocannon from 'autocannon'
import { addPlugins, childrenOf, until } from '../plugin-site.ts'
import { openSite, type TestSite } from '../site.ts'

const hosts = (site: TestSite) => childrenOf(site.process.pid ?? 0).filter((command) => command.includes('plugins/host.js'))

/** Each way to misbehave, and what the log says of it. */
const ways: readonly { how: string; attack: string; reason: RegExp }[] = [
  { how: 'loop', attack: '111', reason: /timeout/ },
  { how: 'never', attack: '111', reason: /timeout/ },
  { how: 'exit', attack: '111', reason: /exit/ },
  { how: 'hoard', attack: '111', reason: /memory|exit|timeout/ },
  { how: 'reject', attack: '111', reason: /threw/ },
  { how: 'buffers', attack: '112', reason: /memory|exit|timeout/ },
]

for (const { how, attack, reason } of ways) {
  test(`attack ${attack}: an action that does "${how}" ends its process and is told as a failure; the site lives`, async () => {
    await using site = await openSite()
    await addPlugins(site, 'trouble')
    assert.equal((await site.api('SVC_API.welcome')).json.success, true)
    const [atWork] = hosts(site)
    assert.ok(atWork)
    const [broken, welcome, page] = await Promise.all([
      site.api('TROUBLE_Maker.make', { how }),
      site.api('SVC_API.welcome'),
      site.send('/'),
    ])
    assert.equal(broken.status, 500)
    assert.equal(broken.json.error.plugin, 'trouble')
    const { reference } = broken.json.error
    await until('the log says why', () =>
      site.log.some((line) => line.includes(`"reference":"${reference}"`) && reason.test(line)),
    )
    assert.equal(welcome.json.success, true)
    assert.equal(page.status, 200)
    await until('its process has gone', () => !hosts(site).includes(atWork))
    assert.equal((await site.api('SVC_Content.list')).json.success, true)
  })
}

test('a plugin that loops for ever holds up nobody: what is sent at 200 requests a second is answered meanwhile', async (t) => {
  await using site = await openSite()
  await addPlugins(site, 'loops')
  let looped = false
  const looping = site.api('LOOPS_Words.go').finally(() => (looped = true))
  await until('it loops', () => hosts(site).length === 1)
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
  assert.equal((await looping).status, 500)
})

test('three failures quarantine a plugin, and each process of the site tells its owner so, and what is unguarded', async () => {
  await using site = await openSite()
  await using other = await openSite({ home: site.home })
  await addPlugins(site, 'trouble')
  for (let times = 0; times < 3; times++) assert.equal((await site.api('TROUBLE_Maker.make', { how: 'exit' })).status, 500)
  const state = async () => (await site.call('SVC_Plugins.get', { id: 'trouble' })).item.state
  await until('it is quarantined', async () => (await state()) === 'quarantined')
  assert.equal((await site.call('SVC_Plugins.get', { id: 'trouble' })).item.errors.length, 3)
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
  }
})

test('a stop of the service leaves no plugin’s process behind', async () => {
  await using site = await openSite()
  await addPlugins(site, 'useful')
  await site.call('USEFUL_Words.count', { text: 'a' })
  const [host] = hosts(site)
  assert.ok(host)
  assert.equal(await site.stop(), 0)
})

test('a plugin reaches only hosts that were confirmed, and nothing of the network it runs in', async () => {
  await using inside = await openSite({ bare: true })
  await using site = await openSite()
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

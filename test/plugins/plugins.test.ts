// The active plugins of a process while others change them.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { removePackages } from '../../src/actions/plugins/arrival.ts'
import { anonymous, ownerOf } from '../../src/identity/caller.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { smallPlugin } from '../packages.ts'
import { base64 } from '../plugin-calls.ts'
import { until } from '../plugin-site.ts'

const bridge = { id: 'legacy-bridge', may: ['authenticate'] }

test('a reload that is overtaken by another is done no sooner than that one', async () => {
  await using site = await openTestSite()
  await site.ok('SVC_Plugins.activate', bridge)
  const { plugins } = await site.other()
  assert.equal(plugins.active.count, 1)
  await site.ok('SVC_Plugins.deactivate', { id: bridge.id })
  const first = plugins.reload()
  const second = plugins.reload()
  await first
  assert.equal(plugins.active.count, 0)
  await second
})

test('a plugin that did not change keeps its place among what is open to requests', async () => {
  await using open = await openTestSite()
  await open.ok('SVC_Plugins.activate', bridge)
  const { plugins } = open.site
  const before = plugins.active
  await plugins.reload()
  assert.notEqual(plugins.active, before)
  assert.ok(before.bridge)
  assert.equal(plugins.active.bridge, before.bridge)
})

test('a plugin that was changed since it failed is not quarantined for that', async () => {
  await using site = await openTestSite()
  const { item } = await site.ok('SVC_Plugins.activate', bridge)
  const { plugins } = site.site
  const state = async (): Promise<string> => (await site.ok('SVC_Plugins.get', { id: bridge.id })).item.state
  const failing = { id: bridge.id, revision: item.revision, package: '' }
  await plugins.quarantine({ ...failing, revision: item.revision - 1 }, 'It failed before.')
  // One of the same id that was deleted, and counted its revisions anew.
  await plugins.quarantine({ ...failing, package: '0123456789abcdef' }, 'It failed before.')
  assert.equal(await state(), 'active')
  await plugins.quarantine(failing, 'It failed.')
  assert.equal(await state(), 'quarantined')
  const { items } = await site.ok('SVC_Health.check', { only: ['plugins'] })
  assert.equal(items[0].fix, `Update it, then SVC_Plugins.activate ${JSON.stringify(bridge)}`)
})

test('what a deleted plugin leaves is taken away, but not the files of one that was installed since', async () => {
  await using open = await openTestSite()
  const placed = () => readdir(join(open.home, 'user-content', 'plugins'))
  const zip = base64(await smallPlugin('twice'))
  await open.ok('SVC_Plugins.install', { base64: zip })
  await open.ok('SVC_Plugins.delete', { id: 'twice', expect: 1, keep_data: true })
  assert.deepEqual(await placed(), [])
  await open.ok('SVC_Plugins.install', { base64: zip })
  // As a deletion does whose process was slow to come to it.
  await removePackages(open.site, 'twice')
  assert.deepEqual(await placed(), ['twice'])
  await open.ok('SVC_Plugins.activate', { id: 'twice' })
})

test('attack 86: callers without a token have keys of their own by address', () => {
  const [one, other] = ['192.0.2.1', '192.0.2.2'].map((address) => ownerOf(anonymous('api', address)))
  assert.notEqual(one, other)
})

/** Answers each update with another, some of them after its function has ended. */
const answering = `
  let count = 0
  postern.on('entry.updated', ({ id }) => {
    const title = postern.plugin.id + ' ' + ++count
    const answer = () => postern.call('SVC_Content', 'update', { id, title })
    if (count % 2) return answer().then(() => undefined)
    setTimeout(answer, 20)
  })`

test('two plugins that answer each other’s events come to an end, and the log says so', async () => {
  await using open = await openTestSite()
  const may = ['call:SVC_Content.update']
  for (const id of ['ping', 'pong']) {
    await open.ok('SVC_Plugins.install', { base64: base64(await smallPlugin(id, { may }, answering)) })
    await open.ok('SVC_Plugins.activate', { id, may })
  }
  const { item } = await open.ok('SVC_Content.create', { type: 'page', title: 'Played' })
  const { id } = item
  await open.ok('SVC_Content.update', { id, title: 'Served' })
  const dropped = async (): Promise<number> =>
    (await open.ok('SVC_Logs.list')).items.filter(({ message }: { message: string }) =>
      /keep reacting to each other/.test(message),
    ).length
  await until('both were told of it', async () => (await dropped()) === 2)
  // Made, served, and from each of both four answers in a row, one after the other.
  assert.equal((await open.ok('SVC_Content.get', { id })).item.revision, 10)
})

// Nothing that comes out of a plugin's process is trusted: here something else than our host speaks on the pipe.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { FatalReason } from '../../src/plugins/fatal.ts'
import { root } from '../site.ts'
import { fatalOf, fixtures, firstAction, openPlugin, type OpenOptions } from './processes.ts'

const hostFile = pathToFileURL(join(root, 'test', 'fixtures', 'hostile-host.mjs'))
const open = (deed: string, options: OpenOptions = {}) => openPlugin('prints', { ...options, hostFile, main: deed })

const deadly: readonly { deed: string; reason: FatalReason; says: RegExp }[] = [
  { deed: 'a line without end', reason: 'flood', says: /message of more than 8388608 bytes/ },
  { deed: 'no json', reason: 'protocol', says: /makes no sense/ },
  { deed: 'deep json', reason: 'protocol', says: /makes no sense/ },
  { deed: 'a word of its own', reason: 'protocol', says: /makes no sense/ },
  { deed: 'members amiss', reason: 'protocol', says: /makes no sense/ },
  { deed: 'an ask amiss', reason: 'protocol', says: /makes no sense/ },
  { deed: 'activated again', reason: 'protocol', says: /out of turn/ },
  { deed: 'ready again', reason: 'protocol', says: /out of turn/ },
  { deed: 'answers to nobody', reason: 'flood', says: /too many messages/ },
  { deed: 'asks at once', reason: 'flood', says: /asked too much of the site at once/ },
  { deed: 'words on the real output', reason: 'flood', says: /standard output/ },
  { deed: 'a large line to the log', reason: 'flood', says: /too much to the log/ },
]

for (const { deed, reason, says } of deadly) {
  test(`a process that sends ${deed} is killed`, async () => {
    await using opened = await open(deed, { ask: () => new Promise(() => undefined) })
    const fatal = await fatalOf(opened.plugin.run(firstAction, []))
    assert.equal(fatal.reason, reason)
    assert.match(fatal.message, says)
    assert.equal((await opened.plugin.ended)?.reason, reason)
    assert.deepEqual(opened.logs, [])
  })
}

test('an ask that names no run that is known is a dry run while there is one; an answer to no run is dropped', async () => {
  await using opened = await open('a false run')
  const { value } = await opened.plugin.run(firstAction, [], { dryRun: true })
  assert.equal(value, 'mine')
  const asked = opened.asks.map((ask) => ask.kind === 'call' && { during: ask.during, dryRun: ask.dryRun })
  assert.deepEqual(asked, [
    { during: undefined, dryRun: true },
    { during: undefined, dryRun: true },
    { during: firstAction, dryRun: true },
  ])
})

test('a failure has a code that plugins have, and a sentence that ends', async () => {
  await using opened = await open('a code of its own')
  const { failure } = await opened.plugin.run(firstAction, [])
  assert.equal(failure?.code, 'unprocessable')
  assert.deepEqual(failure.detail, {})
  assert.equal(failure.message.length, 2001)
})

test('the last words of a process name no path of the server', async () => {
  await using opened = await open('a path in its last words')
  const fatal = await fatalOf(opened.plugin.run(firstAction, []))
  assert.equal(fatal.message, 'The plugin prints failed: ./index.js broke.')
  assert.ok(!fatal.message.includes(fixtures))
})

test('what a plugin asks for and does not read is kept for it up to a bound: the rest is told to come back', async () => {
  const bodyBase64 = 'a'.repeat(1024 ** 2)
  const ask = async () => {
    await new Promise((resolve) => setTimeout(resolve, 500))
    return { status: 200, headers: {}, bodyBase64 }
  }
  await using open = await openPlugin('looks-away', {
    ask,
    limits: { maxWaitingBytes: 2 * bodyBase64.length, timeoutMs: 30_000 },
  })
  const { value } = await open.plugin.run(firstAction, [{}])
  const { codes } = value as { codes: readonly string[] }
  assert.ok(codes.includes('answered'), codes.join())
  assert.ok(codes.filter((code) => code === 'unavailable').length >= 4, codes.join())
})

test('a process that asks on and on and reads nothing is killed', async () => {
  const ask = async () => ({ body: 'a'.repeat(3 * 1024 ** 2) })
  await using opened = await open('asks without reading', {
    ask,
    limits: { maxWaitingBytes: 1024 ** 2, maxAsks: 10_000, timeoutMs: 30_000 },
  })
  const fatal = await fatalOf(opened.plugin.run(firstAction, []))
  assert.equal(fatal.reason, 'flood')
  assert.match(fatal.message, /read nothing of it/)
})

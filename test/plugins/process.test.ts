// A plugin's process that behaves: what it registers, what it is given and answers, what it prints, and how it ends.

import assert from 'node:assert/strict'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { Failure } from '../../src/base/failure.ts'
import { plainLine } from '../../src/plugins/plain-line.ts'
import { processLimits } from '../../src/plugins/process-limits.ts'
import { until } from '../until.ts'
import { firstAction, fixtures, isAlive, openPlugin } from './processes.ts'

test('what is registered is told, each list in the order of registration', async () => {
  await using open = await openPlugin('well-behaved')
  const { actions, ...others } = open.plugin.registered as { actions: { action: string; run?: unknown }[] }
  assert.deepEqual(
    actions.map(({ action, run }) => [action, run]),
    [
      ['echo', undefined],
      ['refuse', undefined],
      ['ask', undefined],
      ['reach', undefined],
      ['register-late', undefined],
      ['about-itself', undefined],
      ['ask-badly', undefined],
      ['speak-oddly', undefined],
      ['ask-later', undefined],
      ['grow', undefined],
    ],
  )
  assert.deepEqual(others, {
    filters: ['entry.html', 'page.html'],
    routes: [{ method: 'GET', path: '/hello/:name' }],
    events: ['entry.updated'],
    jobs: [{ everyMs: 900_000 }],
    hooks: 1,
    authenticates: true,
  })
})

test('each kind of function is run by its list and its place there', async () => {
  await using open = await openPlugin('well-behaved')
  const run = async (kind: Parameters<typeof open.plugin.run>[0]['kind'], index: number, ...args: unknown[]) =>
    (await open.plugin.run({ kind, index }, args)).value
  assert.deepEqual(await run('action', 0, { a: [1, 'ü\ud800', null] }, { door: 'mcp' }), { a: [1, 'ü\ufffd', null], door: 'mcp' })
  assert.equal(await run('filter', 0, '<p>', { path: '/a' }), '<p>/a')
  assert.equal(await run('filter', 1, '<p>', {}), '<p>!')
  assert.deepEqual(await run('route', 0, { params: { name: 'Ada' } }), { body: 'Hello, Ada' })
  assert.deepEqual(await run('hook', 0, { call: 'SVC_Content.get' }), { refuse: 'no SVC_Content.get' })
  assert.deepEqual(await run('authenticate', 0, { key: 'k' }), { scope: 'read', name: 'k' })
  assert.equal(await run('event', 0, { event: 'entry.updated', id: '1', at: '' }), undefined)
  assert.equal(await run('job', 0), undefined)
})

test('a postern.Failure is an answer, and the process goes on', async () => {
  await using open = await openPlugin('well-behaved')
  const { failure } = await open.plugin.run({ kind: 'action', index: 1 }, [{}])
  assert.deepEqual(failure?.toJSON(), {
    code: 'conflict',
    message: 'No.',
    field: 'word',
    expected: 'another',
    hint: 'Say please.',
  })
  assert.equal((await open.plugin.run(firstAction, [{}, {}])).failure, undefined)
})

test('a call carries the run in which it is made, and its failure comes back as one', async () => {
  const ask = async (): Promise<unknown> => {
    throw new Failure('rate_limited', 'Slower.', { retry_after: 3 })
  }
  await using open = await openPlugin('well-behaved', { ask })
  const target = { kind: 'action', index: 2 } as const
  const [wet, dry] = await Promise.all([open.plugin.run(target, [{}]), open.plugin.run(target, [{}], { dryRun: true })])
  assert.deepEqual(wet.value, { code: 'rate_limited', message: 'Slower.' })
  assert.deepEqual(dry.value, wet.value)
  const call = { kind: 'call', class: 'SVC_Content', action: 'get', input: { id: '/a' }, options: { select: ['id'] } }
  assert.deepEqual(open.asks, [
    { ...call, dryRun: false, during: target, depth: 0, limits: [] },
    { ...call, dryRun: true, during: target, depth: 0, limits: [] },
  ])
})

test('attack 87: what a dry run started is dry after its end too, as deep as it was, and with the limits that it had', async () => {
  await using open = await openPlugin('well-behaved')
  const target = { kind: 'action', index: 8 } as const
  const limits = [{ drafts_only: true }]
  await open.plugin.run(target, [{}], { dryRun: true, depth: 3, limits })
  assert.equal(open.plugin.running, 0)
  await until('it asks', () => open.asks.length === 1)
  const asked = { kind: 'call', class: 'SVC_Content', action: 'get', input: { id: '/later' }, options: {} }
  assert.deepEqual(open.asks, [{ ...asked, during: undefined, dryRun: true, depth: 3, limits }])
  await open.plugin.run(target, [{}])
  await until('it asks again', () => open.asks.length === 2)
  assert.deepEqual(open.asks[1], { ...asked, during: undefined, dryRun: false, depth: 0, limits: [] })
})

test('what is fetched is asked of the site; text that doesn’t come is made of the bytes', async () => {
  const bodyBase64 = Buffer.from('hellö').toString('base64')
  await using open = await openPlugin('well-behaved', { ask: async () => ({ status: 200, headers: {}, bodyBase64 }) })
  assert.deepEqual((await open.plugin.run({ kind: 'action', index: 3 }, [{}])).value, { status: 200, body: 'hellö' })
  const [{ leftMs, ...asked } = {} as Record<string, unknown>] = open.asks as unknown as Record<string, unknown>[]
  assert.deepEqual(asked, { kind: 'fetch', url: 'https://api.example.com/', init: { method: 'POST' }, dryRun: false })
  assert.ok(Number(leftMs) > 0 && Number(leftMs) <= processLimits.timeoutMs, String(leftMs))
})

test('what a plugin says to people is one line without control characters', () => {
  assert.equal(plainLine('\u001b[31mred\r\nand\u0085more\u2028lines', 100), ' [31mred and more lines')
  assert.equal(plainLine('a'.repeat(9), 3), 'aaa…')
  assert.equal(plainLine('ab\u{1f600}', 3), 'ab\ufffd…')
})

test('more is asked at once than the site takes: it waits its turn', async () => {
  await using open = await openPlugin('well-behaved', { limits: { maxAsks: 2 } })
  const runs = Array.from({ length: 9 }, () => open.plugin.run({ kind: 'action', index: 2 }, [{}]))
  assert.equal((await Promise.all(runs)).length, 9)
  assert.equal(open.asks.length, 9)
})

test('a call that can’t be sent fails where it is made, and holds up no other', async () => {
  await using open = await openPlugin('well-behaved')
  const { value } = await open.plugin.run({ kind: 'action', index: 6 }, [{}])
  assert.deepEqual(value, { message: 'Do not know how to serialize a BigInt', after: {} })
})

test('whatever a plugin logs beside its words is no reason to fail, and what a call can’t be made of is told to it', async () => {
  await using open = await openPlugin('well-behaved')
  const { value } = await open.plugin.run({ kind: 'action', index: 7 }, [{}])
  assert.deepEqual(value, { asked: {}, refused: 'The input of a call must be an object such as {"id": "/about"}.' })
  const said = [{}, { value: 5 }, { value: 'a word' }, { value: ['a list'] }, { error: 'Error: no luck' }]
  assert.deepEqual(
    open.logs.map(({ fields }) => fields),
    said,
  )
})

test('what is too large to be said is told to the plugin, counted in bytes, and costs no process', async () => {
  await using open = await openPlugin('well-behaved', { limits: { maxMessageBytes: 3000 } })
  const { failure } = await open.plugin.run({ kind: 'action', index: 9 }, [{ text: 'ü', times: 1600 }])
  assert.deepEqual([failure?.code, open.asks.length], ['too_large', 0])
  assert.equal((await open.plugin.run(firstAction, [{}, {}])).failure, undefined)
})

test('after activate nothing more is registered', async () => {
  await using open = await openPlugin('well-behaved')
  const { value } = await open.plugin.run({ kind: 'action', index: 4 }, [{}])
  assert.match((value as { message: string }).message, /before the promise of activate settles/)
})

test('it knows itself and its settings, its files and JSON, and logs with fields', async () => {
  await using open = await openPlugin('well-behaved', { settings: { greeting: 'Hi' } })
  const { value } = await open.plugin.run({ kind: 'action', index: 5 }, [{}])
  assert.deepEqual(value, {
    id: 'well-behaved',
    greeting: 'Hi',
    words: ['one', 'two'],
    later: 3,
    read: ['one', 'two'],
    copied: true,
  })
  assert.deepEqual(open.logs, [{ level: 'warn', message: 'looked at itself', fields: { words: 2 } }])
})

test('what a run prints comes with its outcome, what else is printed by itself', async () => {
  await using open = await openPlugin('prints')
  assert.equal(open.plugin.printedAtLoad, 'loaded\nactivated\n')
  const say = (word: string) => open.plugin.run(firstAction, [{ word }])
  const both = await Promise.all([say('one'), say('two')])
  assert.deepEqual(
    both.map(({ printed }) => printed),
    ["one\nand { word: 'one' }\n", "two\nand { word: 'two' }\n"],
  )
  assert.equal((await open.plugin.run({ kind: 'action', index: 1 }, [{ word: 'three' }])).printed, '')
  await until('the late print', () => open.prints.length > 0)
  assert.deepEqual(open.prints, ['three\n'])
})

test('many runs that print are no flood', async () => {
  await using open = await openPlugin('prints', { limits: { maxMessagesASecond: 20 } })
  for (let run = 0; run < 200; run++) await open.plugin.run({ kind: 'filter', index: 0 }, ['<p>', {}])
  assert.equal((await open.plugin.run({ kind: 'filter', index: 0 }, ['<p>', {}])).value, '<p>')
})

test('one that is asked to go goes, and what still runs is told', async () => {
  await using open = await openPlugin('never-settles')
  const never = open.plugin.run(firstAction, [{}])
  assert.equal(open.plugin.running, 1)
  const [outcome] = await Promise.allSettled([never, open.plugin.end()])
  assert.equal(outcome.status, 'rejected')
  assert.equal(await open.plugin.ended, undefined)
  await assert.rejects(open.plugin.run(firstAction, [{}]), /was ended/)
  assert.equal(isAlive(open.plugin.pid), false)
})

test('one that is asked to go and doesn’t is killed', async () => {
  await using open = await openPlugin('loops', { limits: { timeoutMs: 60_000 } })
  const loop = open.plugin.run(firstAction, [{}])
  await Promise.allSettled([loop, open.plugin.end()])
  assert.equal(await open.plugin.ended, undefined)
})

test('more runs than are taken at once are told to come back', async () => {
  await using open = await openPlugin('never-settles', { limits: { maxRuns: 1 } })
  const never = open.plugin.run(firstAction, [{}])
  const { failure } = await open.plugin.run(firstAction, [{}])
  assert.equal(failure?.code, 'unavailable')
  await Promise.allSettled([never, open.plugin.end()])
})

test('a plugin whose folder is come to by a link runs as any other', async () => {
  const home = await mkdtemp(join(tmpdir(), 'postern-linked-'))
  await symlink(fixtures, join(home, 'plugins'))
  await using open = await openPlugin('well-behaved', { folder: join(home, 'plugins', 'well-behaved') })
  assert.equal((await open.plugin.run(firstAction, [{ a: 1 }])).failure, undefined)
  await rm(home, { recursive: true })
})

test('a process that ends before any of the plugin has run is the machine’s fault, not the plugin’s', async () => {
  const hostFile = pathToFileURL(join(fixtures, 'exits', 'index.js'))
  await assert.rejects(openPlugin('prints', { hostFile }), { name: 'Failure', code: 'unavailable' })
})

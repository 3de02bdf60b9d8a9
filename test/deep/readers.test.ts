// Long reads of strangers and long batches on the built service: pages, health, other callers and other writers are answered all the while.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type ProcessSite, type TestSite } from '../site.ts'
import { processorMsOf } from '../processor-time.ts'

let site: ProcessSite

before(async () => {
  site = await openSite({ ownProcess: true, env: { POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '10000' } })
  // A text in which looking for many of its letters and another one takes long: each place is a beginning.
  const body = 'a'.repeat(1_900_000)
  for (let i = 0; i < 12; i++)
    await site.call('SVC_Content.create', { type: 'post', title: `Long ${i}`, body, status: 'published' })
  for (let i = 0; i < 20; i++)
    await site.call('SVC_Content.create', { type: 'page', title: `Page ${i}`, body: 'x', status: 'published' })
})
after(() => site[Symbol.asyncDispose]())

const longLook = { where: { body: { has: `${'a'.repeat(190)}b` } }, count: true }

/** An anonymous list that takes long, and what became of it. */
function askLong(to: TestSite, input: Readonly<Record<string, unknown>> = longLook) {
  const left = new AbortController()
  const state = { done: false }
  const answer = fetch(`${to.base}/api/`, {
    method: 'POST',
    body: JSON.stringify({ action: 'SVC_Content.list', ...input }),
    signal: left.signal,
  }).finally(() => (state.done = true))
  return { left, state, answer }
}

/** What must be answered whatever strangers ask. @param round so that each page is asked for the first time */
async function holdAnswered(round: number): Promise<void> {
  const asked = {
    page: site.send(`/page-${round}`, { token: null }),
    health: site.send('/healthz', { token: null }),
    ready: site.send('/readyz', { token: null }),
    read: site.api('SVC_Content.get', { id: `/page-${round + 10}` }, { token: null }),
    list: site.api('SVC_Content.list', { where: { title: { has: `age ${round}` } } }),
    write: site.api('SVC_Content.update', { id: '/page-0', title: `Page 0, ${round}` }),
  }
  for (const [what, answer] of Object.entries(asked)) assert.equal((await answer).status, 200, `${what}: ${(await answer).text}`)
}

test('attack 135: three long lists of strangers, repeated, keep nobody from pages, health, reading and writing', async () => {
  for (let round = 1; round <= 3; round++) {
    const lists = [askLong(site), askLong(site), askLong(site)]
    await holdAnswered(round)
    assert.deepEqual(
      lists.map(({ state }) => state.done),
      [false, false, false],
      'they run all the while',
    )
    for (const { left } of lists) left.abort()
    await Promise.allSettled(lists.map(({ answer }) => answer))
  }
  // The readers of strangers are free again: nothing runs on for callers who have left.
  const next = await site.api('SVC_Content.list', { type: 'page', limit: 1 }, { token: null })
  assert.equal(next.status, 200, next.text)
})

test('attack 135: a query whose caller has left costs no processor time', async () => {
  const lists = [askLong(site), askLong(site)]
  await site.call('SVC_Content.list', { limit: 1 })
  for (const { left } of lists) left.abort()
  await Promise.allSettled(lists.map(({ answer }) => answer))
  await site.api('SVC_Content.list', { type: 'page', limit: 1 }, { token: null })
  const used = await processorMsOf(site.process.pid)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  assert.ok((await processorMsOf(site.process.pid)) - used < 500)
})

test('attack 135: conditions of 48 letters each, as many as there may be, are answered', async () => {
  const letters = 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏ'
  const where = { any: Array.from({ length: 24 }, () => ({ title: { has: letters } })) }
  const lists = Array.from({ length: 3 }, () => askLong(site, { where }))
  await holdAnswered(4)
  for (const { answer } of lists) assert.equal((await answer).status, 200)
})

test('attack 135: a read ends at its deadline, as `unavailable` with a time to come again', async () => {
  // A second process on the same home: it serves what the first one wrote.
  await using short = await openSite({ home: site.home, env: { POSTERN_ACTION_SECONDS: '1' } })
  const answer = await short.api('SVC_Content.list', longLook, { token: null })
  assert.deepEqual([answer.status, answer.json.error.code], [503, 'unavailable'], answer.text)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
})

test('attack 136: while a batch renders, others write', async () => {
  const slow = '> - *a* `b` [c](d)\n'.repeat(800)
  await site.call('SVC_Content.create', { type: 'page', title: 'Slow', body: slow })
  const read = { action: 'SVC_Content.get', arguments: { id: '/slow', format: 'text' } }
  const write = { action: 'SVC_Content.create', arguments: { type: 'page', title: 'In a batch' } }
  const state = { done: false }
  const batch = site
    .api('SVC_API.batch', { arguments: { calls: [write, ...Array.from({ length: 49 }, () => read)] } })
    .finally(() => (state.done = true))
  let between = 0
  while (!state.done) {
    const answer = await site.api('SVC_Content.update', { id: '/page-1', title: `Page 1, ${between}` })
    assert.equal(answer.status, 200, answer.text)
    if (!state.done) between += 1
  }
  const { status, text } = await batch
  assert.equal(status, 200, text.slice(0, 500))
  assert.ok(between >= 3, `${between} writes came in between`)
})

test('attack 137: a token of one call a minute makes no batch of fifty', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'slow', scope: 'content', limits: { per_minute: 1 } })
  const calls = Array.from({ length: 50 }, (_, i) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'page', title: `Many ${i}` },
  }))
  const answer = await site.api('SVC_API.batch', { arguments: { calls } }, { token })
  assert.deepEqual([answer.status, answer.json.error.code], [429, 'rate_limited'], answer.text)
  assert.ok(Number(answer.headers.get('retry-after')) > 0)
  const { total } = await site.call('SVC_Content.list', { where: { title: { has: 'Many' } }, count: true })
  assert.equal(total, 0)
})

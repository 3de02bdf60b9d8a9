// What is counted, and what is not: people with their pages, programs by name, and nothing that tells who somebody is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { classifyAgent } from '../../src/statistics/agent-class.ts'
import { campaignIn, languageIn, referrerHost, searchWords } from '../../src/statistics/clean-values.ts'
import { maxValues } from '../../src/statistics/parts.ts'
import { mixedId, visitorId } from '../../src/statistics/visitor-id.ts'
import { isCounted } from '../../src/statistics/counted-request.ts'
import { makePostgres, makeSqlite, makeUsual } from '../store/on-each-database.ts'
import { agents, countsOf, openCounter, openStores, visit, type Visiting } from './visitor.ts'

for (const { agent, is } of [
  { agent: agents.chrome, is: 'desktop' },
  { agent: agents.firefox, is: 'desktop' },
  { agent: agents.iphone, is: 'phone' },
  { agent: agents.android, is: 'phone' },
  { agent: agents.tablet, is: 'tablet' },
  { agent: agents.claude, is: 'ClaudeBot' },
  { agent: agents.gpt, is: 'GPTBot' },
  { agent: agents.google, is: 'Googlebot' },
  { agent: 'Mozilla/5.0 (compatible; Google-CloudVertexBot; +https://cloud.google.com)', is: 'Google-CloudVertexBot' },
  {
    agent: 'meta-externalagent/1.1 (+https://developers.facebook.com/docs/sharing/webmasters/crawler)',
    is: 'meta-externalagent',
  },
  { agent: 'curl/8.5.0', is: 'curl' },
  { agent: agents.python, is: '' },
  { agent: undefined, is: '' },
  { agent: 'Mozilla/5.0 '.repeat(600), is: '' },
  { agent: 'Postern doctor', is: undefined },
])
  test(`the agent ${agent?.slice(0, 60)} is counted as ${is === '' ? 'an unnamed program' : is}`, () => {
    const found = classifyAgent(agent)
    assert.equal(found.kind === 'own' ? undefined : found.kind === 'person' ? found.device : found.name, is)
  })

for (const { referrer, host } of [
  { referrer: 'https://www.example.com/page?q=1', host: 'example.com' },
  { referrer: 'https://News.Example.com:8443/', host: 'news.example.com' },
  { referrer: 'https://www.example.org/about', host: undefined },
  { referrer: undefined, host: undefined },
  { referrer: 'android-app://com.google.android.gm/', host: 'com.google.android.gm' },
  { referrer: 'http://192.168.0.7/router', host: '' },
  { referrer: 'http://intranet/wiki', host: '' },
  { referrer: 'https://<script>alert(1)</script>.example/', host: '' },
  { referrer: `https://example.com/${'a'.repeat(8000)}`, host: '' },
  { referrer: 'javascript:alert(1)', host: '' },
])
  test(`the referrer ${referrer?.slice(0, 60)} is counted as ${host}`, () => {
    assert.equal(referrerHost(referrer, 'example.org'), host)
  })

test('of a query, only the campaign is counted, without what tells a person', () => {
  const query = new URLSearchParams('?utm_source=News&utm_campaign=<b>Spring%00&gclid=abc&email=anna@example.org')
  assert.equal(campaignIn(query), 'news / – / <b>spring')
  assert.equal(campaignIn(new URLSearchParams('?gclid=abc')), undefined)
  assert.equal(campaignIn(new URLSearchParams('?utm_source=anna@example.org&utm_medium=0170 1234567')), '… / 0170 … / –')
})

test('words of searches are masked as missing paths are', () => {
  assert.equal(searchWords('  Bread\n\nrolls '), 'bread rolls')
  assert.equal(searchWords('token=abcdefghijkl password: hunter2 anna@example.org'), 'token=… password: … …')
  assert.equal(searchWords('x'.repeat(500)).length, 81)
})

test('a language is one word of Accept-Language', () => {
  assert.deepEqual(['de-AT,de;q=0.9', 'EN', '*', undefined, '<script>', 'toolong'].map(languageIn), ['de', 'en', '', '', '', ''])
})

test('an id depends on salt, network and agent, not on the address within the network', () => {
  const id = visitorId('salt', '203.0.113.7', 'agent')
  assert.equal(visitorId('salt', '203.0.113.99', 'agent'), id)
  assert.equal(visitorId('salt', '::ffff:203.0.113.7', 'agent'), id)
  assert.equal(visitorId('salt', '2001:db8:1::1', 'agent'), visitorId('salt', '2001:db8:1:ffff::2', 'agent'))
  const others = [
    visitorId('other', '203.0.113.7', 'agent'),
    visitorId('salt', '203.0.114.7', 'agent'),
    visitorId('salt', '203.0.113.7', 'another'),
    visitorId('salt', '2001:db8:2::1', 'agent'),
    visitorId('salt', '2001:db8:1::1', 'agent'),
  ]
  assert.equal(new Set([id, ...others]).size, 6)
})

test('mixed ids of many visitors and values are different, and at most 48 bits', () => {
  const ids = new Set<number>()
  for (let visitor = 0; visitor < 300; visitor++)
    for (let value = 0; value < 300; value++) ids.add(mixedId(visitor * 2 ** 32 + 7, value * 65_537 + 1))
  assert.equal(ids.size, 90_000)
  assert.ok([...ids].every((id) => Number.isInteger(id) && id >= 0 && id < 2 ** 48))
})

for (const { what, request, isIt = false } of [
  { what: 'a page that somebody opens', request: { headers: { 'sec-fetch-dest': 'document' } }, isIt: true },
  { what: 'somebody who has typed the password of a page', request: { headers: { cookie: 'postern-page=x' } }, isIt: true },
  { what: 'a browser that may be tracked', request: { headers: { dnt: '0' } }, isIt: true },
  { what: 'HEAD', request: { method: 'HEAD' } },
  { what: 'a page that is loaded in advance', request: { headers: { 'sec-purpose': 'prefetch;prerender' } } },
  { what: 'a page that an older browser loads in advance', request: { headers: { 'x-moz': 'prefetch' } } },
  { what: 'a page in a frame', request: { headers: { 'sec-fetch-dest': 'iframe' } } },
  { what: 'a page that a script reads', request: { headers: { 'sec-fetch-dest': 'empty' } } },
  { what: 'somebody who is signed in', request: { headers: { cookie: 'a=1; __Host-postern=abc' } } },
  { what: 'somebody who is signed in, over http', request: { headers: { cookie: 'postern=abc' } } },
  { what: 'Do Not Track', request: { headers: { dnt: '1' } } },
  { what: 'Global Privacy Control', request: { headers: { 'sec-gpc': '1' } } },
] as readonly { what: string; request: Visiting; isIt?: boolean }[])
  test(`${isIt ? 'counted' : 'not counted'}: ${what}`, () => {
    assert.equal(isCounted(visit(request), 'document', { statistics_obey_opt_out: true }), isIt)
  })

test('with the setting, visitors who ask not to be tracked are counted', () => {
  const request = visit({ headers: { dnt: '1', 'sec-gpc': '1' } })
  assert.equal(isCounted(request, 'document', { statistics_obey_opt_out: false }), true)
})

for (const [engine, make] of [
  ['SQLite', makeSqlite],
  ['PostgreSQL', makePostgres],
] as const) {
  test(`a person is one visitor a day, with views by page, and devices and languages by visitor: ${engine}`, async () => {
    await using open = await openStores(make)
    const { store } = open
    const counter = openCounter(store)
    for (const path of ['/', '/about', '/']) counter.viewed(visit({ headers: { referer: 'https://example.org/' } }), path)
    const headers = { referer: 'https://www.example.com/x' }
    counter.viewed(visit({ address: '198.51.100.1', agent: agents.iphone, headers }), '/')
    await counter.close()
    assert.deepEqual(await countsOf(store, 'all'), { '': [4, 2] })
    assert.deepEqual(await countsOf(store, 'path'), { '/': [3, 2], '/about': [1, 1] })
    assert.deepEqual(await countsOf(store, 'referrer'), { 'example.com': [1, 1] })
    assert.deepEqual(await countsOf(store, 'device'), { desktop: [3, 1], phone: [1, 1] })
    assert.deepEqual(await countsOf(store, 'language'), { de: [4, 2] })
  })

  test(`no address, no agent and no id is left of yesterday: ${engine}`, async () => {
    await using open = await openStores(make)
    const { store } = open
    const counter = openCounter(store, '2026-11-28T22:59:00Z')
    counter.viewed(visit(), '/')
    await counter.flush()
    const salt = () => store.read.selectFrom('visit_salt').selectAll().executeTakeFirstOrThrow()
    const before = await salt()
    assert.equal((await store.read.selectFrom('visitor_seen').selectAll().execute()).length, 2)
    // Midnight in Berlin.
    counter.at('2026-11-28T23:00:00Z')
    await counter.flush()
    const after = await salt()
    assert.deepEqual([before.day, after.day], ['2026-11-28', '2026-11-29'])
    assert.notEqual(after.salt, before.salt)
    assert.deepEqual(await store.read.selectFrom('visitor_seen').selectAll().execute(), [])
    counter.viewed(visit(), '/')
    await counter.close()
    assert.deepEqual(await countsOf(store, 'all', '2026-11-28'), { '': [1, 1] })
    assert.deepEqual(await countsOf(store, 'all', '2026-11-29'), { '': [1, 1] })
    const text = JSON.stringify(await store.read.selectFrom('visit_count').selectAll().execute())
    assert.ok(!text.includes('203.0.113') && !text.includes('Chrome'))
  })

  test(`two processes and a restart count a visitor once: ${engine}`, async () => {
    await using open = await openStores(make, 2)
    const { stores, store } = open
    const counters = stores.map((one) => openCounter(one))
    for (const counter of [...counters, ...counters]) {
      for (let visitor = 0; visitor < 50; visitor++) counter.viewed(visit({ address: `198.51.${visitor}.1` }), '/')
      await counter.flush()
    }
    for (const counter of counters) await counter.close()
    const again = openCounter(store)
    for (let visitor = 0; visitor < 60; visitor++) again.viewed(visit({ address: `198.51.${visitor}.1` }), '/')
    await again.close()
    assert.deepEqual(await countsOf(store, 'all'), { '': [260, 60] })
    assert.deepEqual(await countsOf(store, 'path'), { '/': [260, 60] })
  })

  test(`processes that write at once lose nothing: ${engine}`, async () => {
    await using open = await openStores(make, 3)
    const { stores, store } = open
    const counters = stores.map((one) => openCounter(one))
    for (let round = 0; round < 5; round++) {
      for (const counter of counters)
        for (let at = 0; at < 100; at++) counter.viewed(visit({ address: `10.${at}.${round}.1` }), `/page-${at % 7}`)
      await Promise.all(counters.map((counter) => counter.flush()))
    }
    await Promise.all(counters.map((counter) => counter.close()))
    assert.deepEqual(await countsOf(store, 'all'), { '': [1500, 500] })
    const paths = Object.values(await countsOf(store, 'path'))
    const sum = (at: 0 | 1): number => paths.reduce((all, one) => all + one[at], 0)
    assert.deepEqual([sum(0), sum(1)], [1500, 500])
  })
}

test('programs are counted by name, and not among people', async () => {
  await using open = await openStores(makeUsual)
  const counter = openCounter(open.store)
  for (const agent of [agents.claude, agents.claude, agents.gpt, agents.google, agents.python])
    counter.viewed(visit({ agent }), '/about')
  await counter.close()
  assert.deepEqual(await countsOf(open.store, 'crawler'), { ClaudeBot: [2, 0], GPTBot: [1, 0] })
  assert.deepEqual(await countsOf(open.store, 'bot'), { '': [1, 0], Googlebot: [1, 0] })
  assert.deepEqual(await countsOf(open.store, 'all'), {})
})

test('the campaign of a link is counted, and no other part of its query', async () => {
  await using open = await openStores(makeUsual)
  const counter = openCounter(open.store)
  counter.viewed(visit({ query: '?utm_source=news&utm_medium=mail&fbclid=hidden' }), '/about')
  await counter.close()
  assert.deepEqual(await countsOf(open.store, 'campaign'), { 'news / mail / –': [1, 1] })
  const text = JSON.stringify(await open.store.read.selectFrom('visit_count').selectAll().execute())
  assert.ok(text.includes('/about') && !text.includes('hidden'))
})

test('views around midnight are counted on their days, also while a salt is read', async () => {
  await using open = await openStores(makeUsual)
  const { store } = open
  const counter = openCounter(store, '2026-11-28T22:59:59Z')
  counter.viewed(visit(), '/')
  counter.at('2026-11-28T23:00:01Z')
  counter.viewed(visit(), '/')
  counter.viewed(visit({ agent: agents.firefox }), '/')
  await counter.flush()
  counter.viewed(visit({ agent: agents.firefox }), '/')
  await counter.close()
  assert.deepEqual(await countsOf(store, 'all', '2026-11-28'), { '': [1, 1] })
  assert.deepEqual(await countsOf(store, 'all', '2026-11-29'), { '': [3, 2] })
})

test('attack 172: made agents, referrers and campaigns fill neither memory nor tables, and hide nothing', async () => {
  await using open = await openStores(makeUsual)
  const { store } = open
  const counter = openCounter(store)
  const languages = [...'abcdefghijklmnopqrstuvwxyz']
  for (let at = 0; at < 12_000; at++) {
    const made = `<b onmouseover=alert(${at})>${at}`
    const language = `${languages[at % 26]}${languages[Math.floor(at / 26) % 26]}`
    const headers = { referer: `https://made-${at}.example/${'x'.repeat(100)}`, 'accept-language': language }
    const agent = `${agents.chrome} ${made}`
    counter.viewed(visit({ agent, query: `?utm_source=${encodeURIComponent(made)}`, headers }), '/')
    const friend = { address: '198.51.100.1', headers: { referer: 'https://friend.example/' } }
    if (at % 100 === 0) counter.viewed(visit(friend), '/about')
    if (at % 3000 === 0) await counter.flush()
  }
  await counter.close()
  for (const part of ['referrer', 'campaign', 'language'] as const)
    assert.equal(Object.keys(await countsOf(store, part)).length, maxValues[part] + 1)
  assert.deepEqual((await countsOf(store, 'referrer'))['friend.example'], [120, 1])
  assert.deepEqual((await countsOf(store, 'referrer'))['']?.[0], 12_000 - (maxValues.referrer - 1))
  // One network makes at most 500 visitors, and the honest one is one more.
  assert.deepEqual(await countsOf(store, 'all'), { '': [12_120, 501] })
  const ids = await store.read.selectFrom('visitor_seen').select('id').execute()
  assert.ok(ids.length < 2010, String(ids.length))
})

test('a write that fails loses nothing', async () => {
  await using open = await openStores(makeUsual)
  const { store } = open
  let isFull = false
  const transaction: typeof store.transaction = (run, signal) =>
    isFull ? Promise.reject(new Error('The disk is full.')) : store.transaction(run, signal)
  const counter = openCounter({ ...store, read: store.read, transaction })
  counter.viewed(visit(), '/')
  await counter.flush()
  isFull = true
  counter.viewed(visit(), '/about')
  counter.viewed(visit({ agent: agents.firefox }), '/about')
  await counter.flush()
  isFull = false
  counter.viewed(visit({ agent: agents.firefox }), '/about')
  await counter.close()
  assert.deepEqual(await countsOf(store, 'all'), { '': [4, 2] })
  assert.deepEqual(await countsOf(store, 'path'), { '/about': [3, 2], '/': [1, 1] })
})

test('statistics that are turned off count nothing, and drop the salt', async () => {
  await using open = await openStores(makeUsual)
  const { store } = open
  const counter = openCounter(store)
  counter.viewed(visit(), '/')
  await counter.flush()
  counter.viewed(visit(), '/')
  counter.set({ statistics: false })
  counter.viewed(visit(), '/about')
  counter.called({ token: null, action: 'SVC_API.welcome', door: 'api', failed: false, tookMs: 1 })
  await counter.flush()
  await counter.close()
  assert.deepEqual(await countsOf(store, 'all'), { '': [2, 1] })
  for (const table of ['visit_salt', 'visitor_seen', 'call_count'] as const)
    assert.deepEqual(await store.read.selectFrom(table).selectAll().execute(), [])
})

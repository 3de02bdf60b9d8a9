// Statistics of a running site: which requests count, who may read the numbers, and what stands in for pages that a front keeps.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'
import { csvLines } from '../../src/base/csv.ts'
import { agents } from './visitor.ts'

const env = { POSTERN_RATE_LIMITS: 'off' }

/** A request as a proxy passes it on. */
const headersOf = (more: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'user-agent': agents.chrome,
  'accept-language': 'de',
  accept: 'text/html',
  ...more,
})

const visit = (site: TestSite, path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
  site.send(path, { token: null, method, headers: headersOf(headers) })

const counts = async (site: TestSite, by: string): Promise<Record<string, [number, number]>> => {
  const { items } = await site.call('SVC_Stats.visits', { by })
  return Object.fromEntries(
    items.map((item: { value: string; views: number; visitors: number }) => [item.value, [item.views, item.visitors]]),
  )
}

async function openShop(more: Readonly<Record<string, string>> = {}): Promise<TestSite> {
  const site = await openSite({ env: { ...env, ...more } })
  await site.call('SVC_Content.create', { type: 'page', title: 'Bread', body: 'Rye and wheat.', status: 'published' })
  return site
}

test('pages count when they are made, kept and unchanged, and everything else does not', async () => {
  await using site = await openShop()
  const first = await visit(site, '/bread')
  assert.equal(first.status, 200)
  await visit(site, '/bread', { 'x-forwarded-for': '198.51.100.1' })
  assert.equal((await visit(site, '/bread', { 'if-none-match': first.headers.get('etag') ?? '' })).status, 304)
  await visit(site, '/bread.md', { accept: '*/*', 'user-agent': agents.claude })
  await visit(site, '/bread', { 'user-agent': agents.google })
  // Not pages, not people, or not opened.
  for (const path of [
    '/nowhere',
    '/robots.txt',
    '/llms.txt',
    '/sitemap.xml',
    '/feed',
    '/favicon.ico',
    '/bread/',
    '/admin/',
    '/healthz',
  ])
    await visit(site, path)
  await visit(site, '/bread', {}, 'HEAD')
  await visit(site, '/bread', { 'sec-purpose': 'prefetch' })
  await visit(site, '/bread', { cookie: '__Host-postern=abc' })
  await visit(site, '/bread', { 'sec-gpc': '1' })
  assert.deepEqual(await counts(site, 'path'), { '/bread': [3, 2] })
  assert.deepEqual(await counts(site, 'crawler'), { ClaudeBot: [1, 0] })
  assert.deepEqual(await counts(site, 'bot'), { Googlebot: [1, 0] })
  const { totals, counting, from_strangers: strangers } = await site.call('SVC_Stats.visits', { by: 'referrer' })
  assert.deepEqual(totals, { views: 3, visitors: 2, crawler_views: 1, bot_views: 1, downloads: 0 })
  assert.deepEqual([counting, strangers], [true, ['value']])
  assert.equal(
    (await site.call('SVC_Redirects.missing')).items.find(({ path }: { path: string }) => path === '/nowhere')?.hits,
    1,
  )
})

test('a download counts once for a file, however often a reader asks for its parts', async () => {
  await using site = await openShop()
  const pdf = `%PDF-1.4\n${'x'.repeat(5000)}\n%%EOF`
  const { item } = await site.call('SVC_Media.upload', { filename: 'prices.pdf', base64: Buffer.from(pdf).toString('base64') })
  assert.equal((await visit(site, item.path)).status, 200)
  assert.equal((await visit(site, item.path, { range: 'bytes=1000-1999' })).status, 206)
  await visit(site, item.path, { 'sec-fetch-dest': 'embed' })
  await visit(site, item.path, { 'user-agent': agents.google })
  assert.deepEqual(await counts(site, 'download'), { [item.path]: [1, 1] })
  assert.deepEqual(await counts(site, 'path'), {})
})

test('searches that find nothing are counted with their words masked, others without', async () => {
  await using site = await openShop()
  for (const words of ['Sourdough', 'sourdough ', 'rye', 'anna@example.org'])
    assert.equal((await visit(site, `/search?q=${encodeURIComponent(words)}`)).status, 200)
  assert.deepEqual(await counts(site, 'search'), { sourdough: [2, 1], '…': [1, 1] })
  assert.deepEqual(await counts(site, 'path'), { '/search': [4, 1] })
})

test('attack 172: strangers read no statistics, and what visitors sent is escaped where it is shown', async () => {
  await using site = await openShop()
  const markup = '<img src=x onerror=alert(1)>'
  await visit(site, `/bread?utm_source=${encodeURIComponent(markup)}`, { referer: `https://${'a'.repeat(8000)}.example/` })
  await visit(site, '/bread', { 'user-agent': `Mozilla/5.0 ${'x'.repeat(7000)}` })
  for (const action of ['SVC_Stats.visits', 'SVC_Stats.calls']) {
    assert.equal((await site.api(action, {}, { token: null })).status, 404)
    assert.equal((await visit(site, '/admin/statistics')).status, 303)
  }
  const reader = (await site.call('SVC_Tokens.create', { name: 'Reader', scope: 'read' })).token
  assert.equal((await site.api('SVC_Stats.visits', {}, { token: reader })).status, 200)
  assert.equal((await site.api('SVC_Stats.calls', {}, { token: reader })).status, 404)
  const { items, csv_url: link } = await site.call('SVC_Stats.visits', { by: 'campaign', csv: true })
  assert.deepEqual(
    items.map(({ value }: { value: string }) => value),
    [`${markup} / – / –`],
  )
  const csv = await visit(site, new URL(link).pathname)
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
  assert.deepEqual(
    [...csvLines(csv.text)].map(({ cells }) => cells),
    [
      ['campaign', 'views', 'visitors'],
      [`${markup} / – / –`, '1', '1'],
    ],
  )
  assert.deepEqual(await counts(site, 'bot'), { null: [1, 0] })
  assert.deepEqual(await counts(site, 'referrer'), { null: [1, 1] })
})

test('no cell of the CSV is a formula', async () => {
  await using site = await openShop()
  await visit(site, '/bread?utm_source=%3DHYPERLINK(1)')
  const { csv_url: link } = await site.call('SVC_Stats.visits', { by: 'campaign', csv: true })
  assert.match((await visit(site, new URL(link).pathname)).text, /^'=hyperlink/m)
})

test('a stop writes what is counted, and the next start knows the visitor', async () => {
  await using site = await openShop()
  await visit(site, '/bread')
  await site.stop()
  await using again = await openSite({ home: site.home, env })
  await visit(again, '/bread')
  const answer = await again.send('/api/', {
    method: 'POST',
    token: site.token,
    body: JSON.stringify({ action: 'SVC_Stats.visits', by: 'path' }),
  })
  assert.deepEqual(answer.json.data.items, [{ value: '/bread', views: 2, visitors: 1 }])
})

test('calls are counted by token, action and door, also those that are refused', async () => {
  await using site = await openShop()
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'Robot', scope: 'read' })
  for (const action of ['SVC_Content.list', 'SVC_Content.list', 'SVC_Content.delete', 'SVC_No.such'])
    await site.api(action, {}, { token })
  const robot = async () => (await site.call('SVC_Stats.calls')).items.find(({ value }: { value: string }) => value === item.id)
  const { name, calls, errors, p95_ms: p95 } = await robot()
  assert.deepEqual([name, calls, errors, typeof p95], ['Robot', 4, 2, 'number'])
  const { items } = await site.call('SVC_Stats.calls', { by: 'action', limit: 200 })
  const of = (action: string | null) => items.find(({ value }: { value: string | null }) => value === action)
  assert.equal(of('SVC_Content.list').calls, 2)
  assert.equal(of('SVC_No.such'), undefined)
  assert.deepEqual([of(null).calls, of(null).errors], [2, 2])
})

test('pages that a front may keep have an image, which counts each page of a visitor once in ten seconds', async () => {
  await using site = await openShop()
  await site.call('SVC_Settings.update', { set: { cache_seconds: 60 } })
  const page = await visit(site, '/bread?utm_source=news', { referer: 'https://friend.example/' })
  const [, source = ''] = /<img src="(\/media\/_\/point\.gif[^"]*)"/.exec(page.text) ?? []
  const address = source.replaceAll('&amp;', '&')
  const shown = { 'sec-fetch-dest': 'image', referer: `${site.address.replace('http:', 'https:')}/bread?utm_source=news&x=1` }
  for (let at = 0; at < 3; at++) {
    const image = await visit(site, address, shown)
    assert.deepEqual(
      [image.status, image.headers.get('content-type'), image.headers.get('cache-control')],
      [200, 'image/gif', 'no-store'],
    )
  }
  await visit(site, address, { ...shown, 'x-forwarded-for': '198.51.100.1', 'user-agent': agents.iphone })
  await visit(site, address, { ...shown, 'user-agent': agents.google })
  assert.equal((await visit(site, address.replace('bread', 'broad'), shown)).status, 404)
  assert.equal((await visit(site, '/media/_/point.gif', shown)).status, 404)
  assert.deepEqual(await counts(site, 'path'), { '/bread': [2, 2] })
  assert.deepEqual(await counts(site, 'campaign'), { 'news / – / –': [2, 2] })
  assert.deepEqual(await counts(site, 'referrer'), { 'friend.example': [1, 1] })
  assert.deepEqual((await site.call('SVC_Stats.visits')).totals.views, 2)
})

test('the image stands below the path of a site in a subdirectory, and in no page that no front keeps', async () => {
  await using site = await openSite({ basePath: '/blog' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Bread', body: 'Rye.', status: 'published' })
  assert.ok(!(await visit(site, '/bread')).text.includes('point.gif'))
  await site.call('SVC_Settings.update', { set: { cache_seconds: 60 } })
  assert.match((await visit(site, '/bread')).text, /src="\/blog\/media\/_\/point\.gif\?at=%2Fbread&amp;is=[0-9a-f]{16}"/)
  await site.call('SVC_Settings.update', { set: { statistics: false } })
  assert.ok(!(await visit(site, '/bread')).text.includes('point.gif'))
  assert.equal((await site.call('SVC_Stats.visits')).counting, false)
})

for (const { input, field } of [
  { input: { from: 'yesterday' }, field: 'from' },
  { input: { from: '2026-11-28', to: '2026-11-01' }, field: 'from' },
  { input: { from: '2020-01-01', to: '2026-01-01' }, field: 'from' },
  { input: { to: '2026-13-01' }, field: 'to' },
  { input: { by: 'country' }, field: 'by' },
])
  test(`the days ${JSON.stringify(input)} are refused, naming ${field}`, async () => {
    await using site = await openSite()
    const { error } = (await site.api('SVC_Stats.visits', input)).json
    assert.deepEqual([error.code, error.field], ['invalid', field])
  })

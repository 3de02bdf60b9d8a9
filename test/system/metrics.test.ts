// `/metrics` from outside: who may look, and that what happens is told there.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
before(async () => {
  site = await openSite()
})
after(() => site[Symbol.asyncDispose]())

/** The value of one sample; undefined where there is none. */
async function sample(name: string): Promise<number | undefined> {
  const { text } = await site.send('/metrics')
  const line = text.split('\n').find((line) => line.startsWith(`${name} `))
  return line === undefined ? undefined : Number(line.slice(name.length + 1))
}

const scoped = async (scope: string): Promise<string> => (await site.call('SVC_Tokens.create', { name: scope, scope })).token

test('attack 22: without a token nobody sees the metrics, though the peer is loopback', async () => {
  for (const headers of [{}, { 'x-forwarded-for': '127.0.0.1' }, { authorization: `Basic ${btoa(`a:${site.token}`)}` }]) {
    const answer = await site.send('/metrics', { token: null, headers })
    assert.equal(answer.status, 401)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    assert.doesNotMatch(answer.text, /postern_|process_/)
  }
})

test('attack 22: neither a cookie nor the query stands for the token', async () => {
  const cookie = { cookie: `postern=${site.token}; token=${site.token}` }
  for (const [path, headers] of [
    ['/metrics', cookie],
    [`/metrics?access_token=${site.token}`, {}],
    [`/metrics?token=${site.token}`, {}],
  ] as const) {
    assert.equal((await site.send(path, { token: null, headers })).status, 401)
  }
})

test('attack 22: a token that is no good is told so', async () => {
  const answer = await site.send('/metrics', { token: `pst_${'A'.repeat(43)}` })
  assert.equal(answer.status, 401)
  assert.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"')
})

for (const scope of ['read', 'content']) {
  test(`attack 22: a token of scope ${scope} is not enough`, async () => {
    const answer = await site.send('/metrics', { token: await scoped(scope) })
    assert.equal(answer.status, 403)
    assert.equal(answer.headers.get('www-authenticate'), 'Bearer error="insufficient_scope", scope="admin"')
    assert.doesNotMatch(answer.text, /postern_|process_/)
  })
}

test('a token of scope admin sees every metric with its help and its type, and no cache keeps it', async () => {
  const answer = await site.send('/metrics')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  const lines = answer.text.split('\n').slice(0, -1)
  const helped = lines.filter((line) => line.startsWith('# HELP ')).map((line) => line.split(' ')[2])
  const typed = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ')[2])
  assert.deepEqual(typed, helped)
  assert.equal(new Set(helped).size, helped.length)
  for (const line of lines) assert.match(line, /^(?:# (?:HELP|TYPE) .+|[a-z_]+(?:\{[a-z]+=".*"\})? [0-9.e+-]+)$/)
})

test('attack 140: a token that is limited to other classes sees no metrics, one for SVC_Health does', async () => {
  const limitedTo = async (limits: object): Promise<string> =>
    (await site.call('SVC_Tokens.create', { name: 'scraper', scope: 'admin', limits })).token
  const other = await site.send('/metrics', { token: await limitedTo({ classes: ['SVC_Docs', 'SVC_Content'] }) })
  assert.equal(other.status, 403)
  assert.match(other.text, /SVC_Health/)
  assert.doesNotMatch(other.text, /postern_|process_/)
  const scraper = await limitedTo({ classes: ['SVC_Health'], per_minute: 60 })
  assert.equal((await site.send('/metrics', { token: scraper })).status, 200)
  assert.equal((await site.api('SVC_Content.list', {}, { token: scraper })).status, 404)
})

test('the newest good backup is told, once there is one', async () => {
  assert.equal(await sample('postern_backup_timestamp_seconds'), undefined)
  const made = Date.parse((await site.call('SVC_Backup.create', {})).item.created_at) / 1000
  assert.equal(await sample('postern_backup_timestamp_seconds'), made)
})

test('other methods are refused, and another spelling of the path is no page', async () => {
  assert.equal((await site.send('/metrics', { method: 'POST' })).status, 405)
  assert.equal((await site.send('/METRICS')).status, 404)
})

test('requests are counted by door and status, with their time and their bytes', async () => {
  const api = 'postern_http_requests_total{door="api",status="200"}'
  const timed = 'postern_http_request_duration_seconds_count{door="api"}'
  const [before, timedBefore] = [(await sample(api)) ?? 0, (await sample(timed)) ?? 0]
  await site.call('SVC_API.welcome')
  await site.call('SVC_API.welcome')
  assert.deepEqual([await sample(api), await sample(timed)], [before + 2, timedBefore + 2])
  assert.ok(((await sample('postern_http_response_bytes_total{door="api"}')) ?? 0) > 0)
  await site.send('/nowhere')
  assert.ok(((await sample('postern_http_requests_total{door="site",status="404"}')) ?? 0) > 0)
})

test('what a cache answers is a hit, what it has to look up a miss', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Counted', status: 'published' })
  const count = async (what: string) => (await sample(`postern_cache_${what}_total{cache="pages"}`)) ?? 0
  const [hits, misses] = [await count('hits'), await count('misses')]
  for (let round = 0; round < 3; round++) await site.send('/counted')
  assert.deepEqual([await count('hits'), await count('misses')], [hits + 2, misses + 1])
})

test('transactions that wait for the writer are counted', async () => {
  const waits = 'postern_database_waits_total{pool="write"}'
  const before = (await sample(waits)) ?? 0
  const create = (at: number) => site.call('SVC_Content.create', { type: 'post', title: `At once ${at}` })
  await Promise.all(Array.from({ length: 8 }, (_, at) => create(at)))
  assert.ok(((await sample(waits)) ?? 0) > before)
  // The service writes on its own account, too, and may do so at this moment.
  await until('nothing waits', async () => (await sample('postern_database_queue{pool="write"}')) === 0)
})

test('the database, the process and the event loop are told', async () => {
  await site.send('/metrics')
  for (const name of [
    'postern_database_bytes{file="database"}',
    'postern_database_lock_seconds_total',
    'process_resident_memory_bytes',
    'process_cpu_seconds_total',
    'process_start_time_seconds',
    'postern_http_connections',
  ])
    assert.ok(((await sample(name)) ?? 0) > 0, name)
  assert.notEqual(await sample('postern_event_loop_delay_seconds{quantile="0.99"}'), undefined)
  await until('nothing waits to be rendered', async () => (await sample('postern_render_queue')) === 0)
  assert.match((await site.send('/metrics')).text, /^postern_build_info\{release="1",node="[\d.]+"\} 1$/m)
})

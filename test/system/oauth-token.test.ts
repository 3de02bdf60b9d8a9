// Tokens over the running service: the form, the answers, the doors that take them, and several processes at once.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { connect, openOwner, type Owner, postForm, refreshing, register, untilCode } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const free = { POSTERN_RATE_LIMITS: 'off' }
let one: TestSite
let two: TestSite
let owner: Owner
before(async () => {
  one = await openSite({ env: free })
  two = await openSite({ home: one.home, env: free, ownProcess: true })
  owner = await openOwner(one)
})
after(async () => {
  await owner[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
  await one[Symbol.asyncDispose]()
})

const formType = { 'content-type': 'application/x-www-form-urlencoded' }
const welcome = async (site: TestSite, token: string) => (await site.call('SVC_API.welcome', {}, { token })).you.token

test('a code becomes a token that all doors take, on the host that issued it and on any other process', async () => {
  const { accessToken, answer } = await connect(one, owner, { scope: 'content' })
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  for (const site of [one, two]) {
    const { kind, name, scope, expires_at: ends } = await welcome(site, accessToken)
    assert.deepEqual([kind, name, scope], ['access', 'Claude', 'content'])
    assert.ok(Math.abs(Date.parse(ends) - Date.now() - 30 * 86_400_000) < 60_000)
  }
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  for (const path of ['/mcp', '/mcp/']) {
    const listed = await one.send(path, { method: 'POST', headers, body, token: accessToken })
    assert.equal(listed.json.result.tools.length, 3)
  }
})

const bad: readonly (readonly [
  rule: string,
  send: { path?: string; method?: string; headers?: Record<string, string>; body?: string },
  status: number,
  error: string,
])[] = [
  [
    'attack 54: parameters in the query',
    { path: '/oauth/token?grant_type=authorization_code&code=x', body: '' },
    400,
    'invalid_request',
  ],
  [
    'attack 54: a parameter in the query beside a form',
    { path: '/oauth/token?code=x', body: 'grant_type=authorization_code' },
    400,
    'invalid_request',
  ],
  ['attack 54: a doubled parameter', { body: 'grant_type=authorization_code&code=a&code=b' }, 400, 'invalid_request'],
  [
    'attack 54: JSON',
    { headers: { 'content-type': 'application/json' }, body: '{"grant_type":"authorization_code"}' },
    400,
    'invalid_request',
  ],
  ['no type', { headers: { 'content-type': 'text/plain' }, body: 'grant_type=authorization_code' }, 400, 'invalid_request'],
  ['nothing', { body: '' }, 400, 'invalid_request'],
  ['bytes that are no UTF-8', { body: 'grant_type=\xff' }, 400, 'invalid_request'],
  ['an unknown grant type', { body: 'grant_type=password&username=a&password=b' }, 400, 'unsupported_grant_type'],
  ['an unknown client', { body: 'grant_type=authorization_code&client_id=x&code=y' }, 401, 'invalid_client'],
  ['no client', { body: 'grant_type=refresh_token&refresh_token=y' }, 401, 'invalid_client'],
  ['a form of 20 KiB', { body: `grant_type=${'x'.repeat(20_000)}` }, 413, 'invalid_request'],
]
for (const [rule, { path = '/oauth/token', method = 'POST', headers = formType, body = '' }, status, error] of bad) {
  test(`${rule}: ${status} ${error}, in JSON that nobody keeps`, async () => {
    const sent = rule.includes('UTF-8') ? Buffer.from(body, 'latin1') : body
    const answer = await one.send(path, { method, headers, body: sent, token: null })
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.headers.get('access-control-allow-origin'), '*')
    assert.equal(answer.json.error, error)
  })
}

test('attack 54: GET is 405 with Allow, and not to be kept', async () => {
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    const answer = await one.send(path, { token: null })
    assert.deepEqual(
      [answer.status, answer.headers.get('allow'), answer.headers.get('cache-control')],
      [405, 'POST, OPTIONS', 'no-store'],
    )
    assert.equal((await one.send(path, { method: 'OPTIONS', token: null })).status, 204)
  }
})

test('a refusal names the missing parameter', async () => {
  const clientId = await register(one)
  for (const [form, missing] of [
    [{ client_id: clientId }, 'grant_type'],
    [{ client_id: clientId, grant_type: 'authorization_code' }, 'code'],
    [{ client_id: clientId, grant_type: 'refresh_token', refresh_token: '' }, 'refresh_token'],
  ] as const) {
    const { json } = await postForm(one, '/oauth/token', form)
    assert.equal(json.error, 'invalid_request')
    assert.match(json.error_description, new RegExp(missing))
  }
})

test('attack 49: a code used twice is 400 “Unknown or used code”, and the first token is dead in every process', async () => {
  const { form } = await untilCode(one, owner)
  const { json } = await postForm(one, '/oauth/token', form)
  assert.ok(await welcome(two, json.access_token))
  const again = await postForm(two, '/oauth/token', form)
  assert.deepEqual([again.status, again.json], [400, { error: 'invalid_grant', error_description: 'Unknown or used code' }])
  assert.equal(await welcome(two, json.access_token), null)
  await until('it is over there', async () => (await welcome(one, json.access_token)) === null)
})

test('attack 50: of 50 exchanges of one code at once over two processes at most one succeeds', async () => {
  for (let round = 0; round < 3; round++) {
    const { form } = await untilCode(one, owner, { metadata: refreshing })
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => postForm(at % 2 === 0 ? one : two, '/oauth/token', form)),
    )
    const good = answers.filter(({ status }) => status === 200)
    assert.equal(good.length, 1)
    assert.ok(answers.every(({ status, json }) => status === 200 || json.error === 'invalid_grant'))
    // The others were a second use: what the first one brought is over.
    await until('it is over there', async () => (await welcome(one, good[0]?.json.access_token)) === null)
  }
})

test('attack 57: 50 refreshes at once over two processes are one family with one answer', async () => {
  const { clientId, refreshToken } = await connect(one, owner, { metadata: refreshing })
  const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken }
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, at) => postForm(at % 2 === 0 ? one : two, '/oauth/token', form)),
  )
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
  assert.equal((await welcome(two, answers[0]?.json.access_token)).kind, 'access')
})

test('attack 59: refresh token and code are no bearer: 401 on /mcp/, anonymous on /api/', async () => {
  const { form } = await untilCode(one, owner)
  const { refreshToken } = await connect(one, owner, { metadata: refreshing })
  for (const secret of [refreshToken, form['code'] ?? '']) {
    const answer = await one.send('/mcp/', { method: 'POST', body: '{}', token: secret })
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /error="invalid_token"/)
    assert.equal(await welcome(one, secret), null)
  }
})

test('attack 61: a removed connected app is 401 at its next call here, and a moment later in every process', async () => {
  const { accessToken } = await connect(one, owner)
  const token = await welcome(one, accessToken)
  assert.ok(await welcome(two, accessToken))
  await one.call('SVC_Apps.revoke', { ids: [token.id], expect: 1 })
  assert.equal((await one.send('/mcp/', { method: 'POST', body: '{}', token: accessToken })).status, 401)
  await until(
    'it is over there',
    async () => (await two.send('/mcp/', { method: 'POST', body: '{}', token: accessToken })).status === 401,
  )
})

test('attack 60: a client gives up its connection: 200, and its tokens are dead at the next call', async () => {
  const { clientId, accessToken, refreshToken } = await connect(one, owner, { metadata: refreshing })
  const answer = await postForm(one, '/oauth/revoke', { client_id: clientId, token: refreshToken })
  assert.deepEqual([answer.status, answer.text, answer.headers.get('cache-control')], [200, '', 'no-store'])
  assert.equal(await welcome(one, accessToken), null)
  assert.equal((await postForm(one, '/oauth/revoke', { client_id: clientId, token: 'psa_unknown' })).status, 200)
})

test('a connected app’s writes are told under its name, and taken back by its id', async () => {
  const { accessToken } = await connect(one, owner, { scope: 'content' })
  const { activity_id: id } = await one.call('SVC_Content.create', { type: 'page', title: 'By an app' }, { token: accessToken })
  const { item } = await one.call('SVC_Activity.get', { id })
  assert.deepEqual([item.by, item.token_name, item.door], ['Owner', 'Claude', 'api'])
  const undone = await one.call('SVC_Activity.undo', { since: item.at, token: item.token })
  assert.deepEqual(undone.done, [id])
})

test('attack 123: no code, token or verifier stands in the log', async () => {
  const { form } = await untilCode(one, owner)
  await postForm(one, '/oauth/token', form)
  await postForm(one, '/oauth/token', form)
  const log = [...one.log, ...two.log].join('\n')
  assert.match(log, /authorization code used twice/)
  for (const secret of [form['code'] ?? '-', form['code_verifier'] ?? '-']) assert.ok(!log.includes(secret))
  assert.ok(!/ps[arc]_[\w-]{20}/.test(log))
})

test('past the limit an address gets 429 with Retry-After from the token endpoint', async () => {
  await using limited = await openSite({ bare: true, env: { POSTERN_TOKEN_REQUESTS_PER_MINUTE: '2' } })
  const ask = () => postForm(limited, '/oauth/token', { grant_type: 'authorization_code' })
  const statuses = [(await ask()).status, (await ask()).status, (await ask()).status]
  assert.deepEqual(statuses, [401, 401, 429])
  assert.ok(Number((await ask()).headers.get('retry-after')) > 0)
})

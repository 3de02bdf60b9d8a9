// `/api/` on a running site: how a call is sent, what a credential is worth, and the failures with their statuses.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type SendOptions, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'About', slug: 'about', status: 'published' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Draft', slug: 'draft' })
})
after(() => site[Symbol.asyncDispose]())

const post = (body: string, more: SendOptions = {}) => site.send('/api/', { method: 'POST', body, ...more })
const welcome = '{"class":"SVC_API","action":"welcome"}'

test('a call is answered with success and data, at every form of the address', async () => {
  for (const path of ['/api/', '/api', '/API/', '/Api']) {
    const answer = await site.send(path, { method: 'POST', body: welcome })
    assert.equal(answer.status, 200, path)
    assert.equal(answer.json.success, true)
    assert.equal(answer.json.data.you.token.name, 'test')
    assert.equal(answer.json.data.you.token.kind, 'personal')
    assert.ok(!answer.text.includes(site.token))
    assert.equal(answer.headers.get('content-type'), 'application/json')
    assert.equal(answer.headers.get('cache-control'), 'no-store')
  }
})

for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain', undefined]) {
  test(`the body is JSON whatever its content type says: ${type ?? 'none'}`, async () => {
    const body = new Uint8Array(Buffer.from(welcome))
    const answer = await site.send('/api/', { method: 'POST', body, headers: type === undefined ? {} : { 'content-type': type } })
    assert.equal(answer.json.success, true)
  })
}

test('three ways to name a call mean the same', async () => {
  const texts = await Promise.all(
    [
      { class: 'SVC_Content', action: 'get', id: '/about' },
      { action: 'SVC_Content.get', id: '/about' },
      { action: 'SVC_Content.get', arguments: { id: '/about' } },
    ].map(async (body) => (await post(JSON.stringify(body))).text),
  )
  assert.equal(new Set(texts).size, 1)
})

for (const [rule, send] of [
  ['no token', { token: null }],
  ['attack 72: a token that is garbage', { token: 'garbage' }],
  ['attack 72: a token that was never made', { token: `pst_${'a'.repeat(43)}` }],
  ['Basic', { token: null, headers: { authorization: 'Basic YTpi' } }],
  ['attack 70: a cookie', { token: null, headers: { cookie: 'postern=x' } }],
] as const) {
  test(`a caller without a usable token reads what the public site shows: ${rule}`, async () => {
    const answer = await post(welcome, send)
    assert.equal(answer.status, 200)
    assert.equal(answer.json.success, true)
    assert.equal(answer.json.data.you.token, null)
    assert.equal(answer.json.data.you.tier, 'anonymous')
    assert.equal((await post('{"action":"SVC_Content.get","id":"/about"}', send)).json.success, true)
    const draft = await post('{"action":"SVC_Content.get","id":"/draft"}', send)
    assert.deepEqual([draft.status, draft.json.error.code], [404, 'not_found'])
    const write = await post('{"action":"SVC_Content.create","type":"page","title":"x"}', send)
    assert.deepEqual([write.status, write.json.error.message], [404, 'Unknown tool: SVC_Content.create'])
  })
}

test('attack 72: a revoked token makes an anonymous caller here and is challenged at /mcp/, at once', async () => {
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'short-lived', scope: 'admin' })
  assert.equal((await post(welcome, { token })).json.data.you.tier, 'admin')
  await site.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  assert.equal((await post(welcome, { token })).json.data.you.tier, 'anonymous')
  const headers = { 'content-type': 'application/json' }
  assert.equal((await site.send('/mcp/', { method: 'POST', token, headers, body: welcome })).status, 401)
})

test('attack 73: a token in the query is no token', async () => {
  const answer = await site.send(`/api/?access_token=${site.token}`, { method: 'POST', body: welcome, token: null })
  assert.equal(answer.json.data.you.token, null)
})

test('the documents are open to anybody', async () => {
  const answer = await post('{"class":"SVC_Docs","action":"get","doc":"mcp-connection"}', { token: null })
  assert.equal(answer.json.success, true)
  const section = await post('{"class":"SVC_Docs","action":"get","doc":"mcp-connection","section":"address"}', { token: null })
  assert.equal(section.json.success, true)
})

const failures: readonly (readonly [rule: string, body: string, status: number, code: string, field?: string])[] = [
  ['no body', '', 400, 'malformed'],
  ['not JSON', '{"class":', 400, 'malformed'],
  ['a list', '[]', 400, 'malformed'],
  ['no action', '{"class":"SVC_API"}', 400, 'malformed'],
  ['a class of the wrong kind', '{"class":{},"action":"welcome"}', 400, 'malformed'],
  ['attack 74: 100,000 levels deep', '['.repeat(100_000), 400, 'malformed'],
  ['both forms of arguments', '{"action":"SVC_Content.get","id":"/about","arguments":{"stage":false}}', 400, 'invalid', 'id'],
  ['an unknown argument', '{"action":"SVC_API.welcome","tone":"friendly"}', 400, 'invalid', 'tone'],
  [
    'attack 79: __proto__ as an argument',
    '{"action":"SVC_API.welcome","__proto__":{"tier":"admin"}}',
    400,
    'invalid',
    '__proto__',
  ],
  ['attack 79: a caller among the arguments', '{"action":"SVC_API.welcome","caller":{}}', 400, 'invalid', 'caller'],
  ['an option without effect', '{"action":"SVC_API.welcome","dry_run":true}', 400, 'invalid', 'dry_run'],
  ['an unknown action', '{"class":"SVC_API","action":"nope"}', 404, 'unknown_action'],
  ['attack 77: class __proto__', '{"class":"__proto__","action":"toString"}', 404, 'unknown_action'],
  ['attack 77: class constructor', '{"class":"constructor","action":"name"}', 404, 'unknown_action'],
  ['a thing that is not there', '{"action":"SVC_Content.get","id":"/nowhere"}', 404, 'not_found'],
  ['a slug that is taken', '{"action":"SVC_Content.create","type":"page","title":"x","slug":"about"}', 409, 'exists'],
]
for (const [rule, body, status, code, field] of failures) {
  test(`a call that fails: ${rule} → ${status} ${code}`, async () => {
    const answer = await post(body)
    assert.equal(answer.status, status)
    assert.equal(answer.json.success, false)
    assert.equal(answer.json.error.code, code)
    assert.equal(typeof answer.json.error.message, 'string')
    if (field !== undefined) assert.equal(answer.json.error.field, field)
  })
}

test('anything but POST is 405 with Allow: POST', async () => {
  for (const method of ['GET', 'PUT', 'DELETE', 'PROPFIND']) {
    const answer = await site.send('/api/', { method })
    assert.equal(answer.status, 405, method)
    assert.equal(answer.headers.get('allow'), 'POST')
    assert.deepEqual([answer.json.success, answer.json.error.code], [false, 'wrong_method'])
  }
  const head = await site.send('/api/', { method: 'HEAD' })
  assert.deepEqual([head.status, head.headers.get('allow')], [405, 'POST'])
})

test('attack 82: any page may call, without credentials, after a preflight that asks for no token', async () => {
  const preflight = await site.send('/api/', { method: 'OPTIONS', token: null, headers: { origin: 'http://any.example' } })
  assert.equal(preflight.status, 204)
  assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
  assert.equal(preflight.headers.has('access-control-allow-credentials'), false)
  const called = await post(welcome, { headers: { origin: 'http://any.example' } })
  assert.equal(called.headers.get('access-control-allow-origin'), '*')
})

test('a body over the limit is 413 with that limit, a smaller one for strangers', async () => {
  const body = JSON.stringify({ action: 'SVC_API.welcome', filler: 'x'.repeat(300_000) })
  const stranger = await post(body, { token: null })
  assert.deepEqual([stranger.status, stranger.json.error.code, stranger.json.error.limit], [413, 'too_large', 262_144])
  const known = await post(body)
  assert.equal(known.json.error.code, 'invalid')
})

test('calls are counted in the headers; one too many is 429 with Retry-After', async () => {
  await using limited = await openSite({ bare: true, env: { POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '2' } })
  const send = () => limited.send('/api/', { method: 'POST', body: welcome })
  const first = await send()
  assert.equal(first.headers.get('ratelimit-limit'), '2')
  assert.equal(first.headers.get('ratelimit-remaining'), '1')
  await send()
  const refused = await send()
  assert.equal(refused.status, 429)
  assert.equal(refused.json.error.code, 'rate_limited')
  assert.equal(refused.headers.get('retry-after'), String(refused.json.error.retry_after))
})

test('limits on calls can be lifted, and then no header tells of one', async () => {
  await using free = await openSite({ bare: true, env: { POSTERN_RATE_LIMITS: 'off', POSTERN_ANONYMOUS_CALLS_PER_MINUTE: '1' } })
  for (let i = 0; i < 3; i++) {
    const answer = await free.send('/api/', { method: 'POST', body: welcome })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.has('ratelimit-limit'), false)
  }
})

for (const { rule, send } of [
  { rule: 'success', send: () => post(welcome) },
  {
    rule: 'success with text that is not ASCII',
    send: () => post('{"action":"SVC_Content.list","where":{"title":"Übung"},"select":"title"}'),
  },
  { rule: 'a failure', send: () => post('{"action":"SVC_Content.nope"}') },
  { rule: 'a body that is no JSON', send: () => post('{') },
  { rule: 'no body', send: () => post('') },
  { rule: 'another method', send: () => site.send('/api/') },
  { rule: 'a call too many', send: () => callTooMany() },
]) {
  test(`an answer is one line that ends with a newline, and its Content-Length counts it: ${rule}`, async () => {
    const { text, headers } = await send()
    assert.match(text, /^\{"success":(?:true|false),.*\}\n$/)
    assert.equal(Number(headers.get('content-length')), Buffer.byteLength(text))
  })
}

async function callTooMany() {
  const { token } = await site.call('SVC_Tokens.create', { name: 'slow', scope: 'read', limits: { per_minute: 1 } })
  await post(welcome, { token })
  return post(welcome, { token })
}

const notRecognised = 'The token was not recognised, so this call had the rights of an anonymous one.'
const noGood: readonly { rule: string; headers: Record<string, string> }[] = [
  { rule: 'a mistyped token', headers: { authorization: `Bearer pst_${'b'.repeat(43)}` } },
  { rule: 'a token without Bearer', headers: { authorization: `pst_${'b'.repeat(43)}` } },
  { rule: 'an empty one, as of a variable that is not set', headers: { authorization: 'Bearer ' } },
  { rule: 'Basic', headers: { authorization: 'Basic YTpi' } },
  { rule: 'a key of no bridge', headers: { 'x-api-key': 'x' } },
]
for (const { rule, headers } of noGood) {
  test(`attack 72: a failure of a call with a credential of no use says so, alike for every action: ${rule}`, async () => {
    const ask = (body: string) => post(body, { token: null, headers })
    const hints = await Promise.all(
      ['SVC_Content.create', 'SVC_Content.nope', 'NO_Such.thing'].map(async (action) => {
        const { json } = await ask(JSON.stringify({ action, title: 'x' }))
        assert.deepEqual([json.error.code, json.error.message], ['unknown_action', `Unknown tool: ${action}`])
        return json.error.hint
      }),
    )
    assert.equal(new Set(hints).size, 1, 'the words are the same whether or not there is such an action')
    for (const body of [
      '{"action":"SVC_Content.get","id":"/draft"}',
      '{"action":"SVC_Content.list","nope":1}',
      '{',
      ' '.repeat(300_000),
    ])
      assert.ok((await ask(body)).json.error.hint.startsWith(notRecognised), body.slice(0, 50))
    assert.ok(hints[0].startsWith(notRecognised))
    for (const body of [welcome, '{"action":"SVC_Content.get","id":"/about"}']) {
      const { json, text } = await ask(body)
      assert.equal(json.success, true, text)
      assert.deepEqual(json.warnings, [{ code: 'token_not_recognised', message: notRecognised }])
    }
  })
}

test('attack 72: a token that was revoked is told of like one that never was; without a credential, and with a good one, there is no such hint', async () => {
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'ended', scope: 'content' })
  const write = '{"action":"SVC_Content.create","type":"page"}'
  assert.ok(!(await post(write, { token })).text.includes('not recognised'))
  await site.call('SVC_Tokens.revoke', { id: item.id, expect: 1 })
  const never = await post(write, { token: `pst_${'b'.repeat(43)}` })
  assert.equal((await post(write, { token })).text, never.text)
  assert.ok(never.json.error.hint.startsWith(notRecognised))
  assert.ok(!(await post(write, { token: null })).text.includes('not recognised'))
})

test('attack 72: a call that succeeds tells of a credential of no use alike, whether or not there ever was such a token', async () => {
  const { token, item } = await site.call('SVC_Tokens.create', { name: 'ended too', scope: 'content' })
  await site.call('SVC_Tokens.revoke', { id: item.id, expect: 1 })
  const never = `pst_${'c'.repeat(43)}`
  const you = '{"action":"SVC_API.welcome","select":["you.token","you.tier"]}'
  for (const body of [you, '{"action":"SVC_Content.list"}', '{"action":"SVC_Content.list","limit":"2"}']) {
    const answers = await Promise.all([token, never, 'x', `pst_${'ü'.repeat(3)}`].map((one) => post(body, { token: one })))
    assert.equal(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1, body)
    assert.match(
      answers[0]?.text ?? '',
      /,"warnings":\[\{"code":"token_not_recognised","message":"The token was not recognised, /,
    )
  }
  for (const as of [site.token, null]) assert.ok(!(await post(welcome, { token: as })).text.includes('token_not_recognised'))
})

for (const release of ['0.9', '0.10', '0.11'] as const)
  test(`release ${release}: a call with an unknown token succeeds with the very bytes of one without`, async () => {
    await using old = await openSite({ release })
    for (const body of [
      '{"action":"SVC_Docs.list"}',
      '{"class":"SVC_Content","action":"list"}',
      '{"action":"SVC_API.welcome","select":["site","next"]}',
    ]) {
      const ask = (token: string | null) => old.send('/api/', { method: 'POST', body, token })
      const [bare, wrong] = [await ask(null), await ask(`pst_${'c'.repeat(43)}`)]
      assert.deepEqual([wrong.status, wrong.text], [bare.status, bare.text], body)
      assert.ok(wrong.text.startsWith('{"success":true,'))
    }
  })

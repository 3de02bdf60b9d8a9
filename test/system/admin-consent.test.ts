// An app's question and the owner's answer, on the running service: ATTACKS 40 to 48 as far as they are the admin's.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Page, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, callback, exchangeForm, makeProof, postForm, register } from '../oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let clientId: string
let owner: Visitor

before(async () => {
  site = await openSite()
  clientId = await register(site)
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const ask = (visitor: Visitor, changes: Parameters<typeof authorizeUrl>[2] = {}): Promise<Page> =>
  visitor.open(authorizeUrl(site.base, clientId, changes).href)

const codesOf = (page: Page) => new URL(page.location, page.url).searchParams.getAll('code')

test('a stranger gets the sign-in form, 200, and it leads through /admin/ back to the question and on to the app', async () => {
  const visitor = openVisitor(site)
  const { verifier, challenge } = makeProof()
  const first = await ask(visitor, { code_challenge: challenge })
  assert.equal(first.status, 200)
  const form = first.form('/admin/sign-in')
  const signedIn = await visitor.submit(form, { email: 'owner@example.org', password: 'correct horse battery staple' })
  assert.equal(signedIn.status, 303)
  assert.match(signedIn.location, /^\/oauth\/authorize\?/)
  const question = await visitor.follow(signedIn)
  assert.equal(question.status, 200)
  const answered = await visitor.submit(question.form('/oauth/consent'), { answer: 'allow' })
  assert.equal(answered.status, 302)
  const back = new URL(answered.location)
  assert.equal(back.origin + back.pathname, callback)
  assert.equal(back.searchParams.get('state'), 'af0ifjsldkj')
  assert.equal(back.searchParams.get('iss'), site.base)
  const code = back.searchParams.get('code') ?? ''
  const exchange = exchangeForm(code, clientId, verifier)
  const token = await postForm(site, '/oauth/token', exchange)
  assert.equal(token.status, 200, token.text)
  assert.equal((await site.api('SVC_API.welcome', {}, { token: token.json.access_token })).json.data.you.token.kind, 'access')
})

test('a request that comes as a form is asked like one that comes as an address', async () => {
  const { searchParams } = authorizeUrl(site.base, clientId)
  const page = await owner.submit({ action: '/oauth/authorize', method: 'post', fields: Object.fromEntries(searchParams) })
  assert.equal(page.status, 200)
  assert.ok(page.form('/oauth/consent'))
})

test('the owner who says no sends the app away with access_denied, state and iss', async () => {
  const answered = await owner.submit((await ask(owner)).form('/oauth/consent'), { answer: 'deny' })
  assert.equal(answered.status, 302)
  const { searchParams } = new URL(answered.location)
  assert.deepEqual(
    [searchParams.get('error'), searchParams.get('state'), searchParams.get('iss')],
    ['access_denied', 'af0ifjsldkj', site.base],
  )
})

test('attack 41: an owner who is signed in is asked every time, and GET makes no code', async () => {
  for (let round = 0; round < 2; round++) {
    const page = await ask(owner)
    assert.equal(page.status, 200)
    assert.equal(page.location, '')
    await owner.submit(page.form('/oauth/consent'), { answer: 'allow' })
  }
  const got = await owner.open('/oauth/consent')
  assert.equal(got.status, 405)
  assert.equal(got.headers.get('allow'), 'POST')
})

test("attack 42: an attacker's question and form token in the owner's browser are refused", async () => {
  const made = await site.postern(['admin', 'create', '--email', 'mallory@example.org', '--name', 'M'], 'mallory mallory\n')
  assert.equal(made.code, 0)
  const mallory = openVisitor(site)
  await mallory.signIn('mallory@example.org', 'mallory mallory')
  const theirs = (await ask(mallory)).form('/oauth/consent')
  const both = await owner.submit(theirs, { answer: 'allow' })
  assert.equal(both.status, 403)
  const own = (await ask(owner)).form('/oauth/consent')
  const question = await owner.submit(
    { ...own, fields: { ...own.fields, question: theirs.fields['question'] ?? '' } },
    { answer: 'allow' },
  )
  assert.equal(question.status, 403)
  assert.deepEqual([both.location, question.location], ['', ''])
})

test('attack 43: fields that a consent was edited to hold change nothing, its scope never grows, and a second answer is 400', async () => {
  const form = (await ask(owner, { scope: 'read' })).form('/oauth/consent')
  const edits = {
    answer: 'allow',
    scope: 'admin',
    redirect_uri: 'https://evil.example/',
    client_id: 'x.y',
    resource: 'https://evil.example/mcp/',
  }
  const answered = await owner.submit(form, edits)
  assert.ok(answered.location.startsWith(`${callback}?code=`), answered.location)
  const again = await owner.submit(form, edits)
  assert.equal(again.status, 400)
  assert.equal(again.location, '')
  const question = form.fields['question'] ?? ''
  const edited = (question.startsWith('A') ? 'B' : 'A') + question.slice(1)
  assert.equal((await owner.submit({ ...form, fields: { ...form.fields, question: edited } }, edits)).status, 400)
})

test('attack 43: the scope that the owner chose is the scope of the grant', async () => {
  const { verifier, challenge } = makeProof()
  const form = (await ask(owner, { code_challenge: challenge, scope: 'content' })).form('/oauth/consent')
  assert.equal(form.fields['scope'], 'content')
  const [code = ''] = codesOf(await owner.submit(form, { answer: 'allow', scope: 'admin' }))
  const exchange = exchangeForm(code, clientId, verifier)
  assert.equal((await postForm(site, '/oauth/token', exchange)).json.scope, 'content')
})

test('attack 44: sign-in and consent are not framed, not kept, and tell other sites nothing', async () => {
  for (const page of [await ask(openVisitor(site)), await ask(owner)]) {
    const policy = page.headers.get('content-security-policy') ?? ''
    assert.match(policy, /frame-ancestors 'none'/)
    assert.match(policy, /default-src 'none'/)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(page.headers.get('referrer-policy'), 'same-origin')
    assert.equal(page.headers.get('cross-origin-opener-policy'), null)
    assert.ok(!/<a [^>]*href="(?:https?:)?\/\//.test(page.text))
  }
  assert.match((await ask(owner)).headers.get('content-security-policy') ?? '', /form-action 'self' http:\/\/localhost:3118;/)
})

test('attack 45: a state of 8 KB with separators comes back once, as it was', async () => {
  const state = `x&code=evil${'é'.repeat(1000)}${'s'.repeat(6000)}`
  const visitor = openVisitor(site)
  const form = (await ask(visitor, { state })).form('/admin/sign-in')
  const signedIn = await visitor.submit(form, { email: 'owner@example.org', password: 'correct horse battery staple' })
  const answered = await visitor.submit((await visitor.follow(signedIn)).form('/oauth/consent'), { answer: 'allow' })
  const { searchParams } = new URL(answered.location)
  assert.equal(searchParams.get('state'), state)
  assert.equal(searchParams.getAll('code').length, 1)
})

test('attack 48: an account that may only write grants no more, whatever the app asks', async () => {
  const { verifier, challenge } = makeProof()
  await site.postern(['admin', 'create', '--email', 'writer@example.org', '--name', 'W', '--role', 'content'], 'writer writer\n')
  const writer = openVisitor(site)
  await writer.signIn('writer@example.org', 'writer writer')
  const page = await ask(writer, { code_challenge: challenge, scope: 'admin' })
  assert.ok(!page.text.includes('value="admin"'))
  const [code = ''] = codesOf(await writer.submit(page.form('/oauth/consent'), { answer: 'allow', scope: 'admin' }))
  const exchange = exchangeForm(code, clientId, verifier)
  assert.equal((await postForm(site, '/oauth/token', exchange)).json.scope, 'content')
})

test('attack 29: a name that is markup is text, on one line, and smaller than the host', async () => {
  const hostile = await register(site, { client_name: '<img src=x onerror=alert(1)>\u202eClaude\nAnthropic' })
  const page = await owner.open(authorizeUrl(site.base, hostile).href)
  assert.ok(!page.text.includes('<img'))
  assert.ok(!page.text.includes('\u202e'))
  assert.match(page.text, /<h1><strong>localhost(?::3118)?<\/strong>/)
})

test('a consent page for an app on the device allows its scheme, and one for IPv6 loopback http', async () => {
  for (const [uri, target] of [
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor:'],
    ['http://[::1]:9999/callback', 'http:'],
    ['https://claude.ai/api/mcp/auth_callback', 'https://claude.ai'],
  ] as const) {
    const id = await register(site, { redirect_uris: [uri] })
    const page = await owner.open(authorizeUrl(site.base, id, { redirect_uri: uri }).href)
    assert.ok(page.headers.get('content-security-policy')?.includes(`form-action 'self' ${target};`), page.text)
    const answered = await owner.submit(page.form('/oauth/consent'), { answer: 'allow' })
    assert.ok(answered.location.startsWith(`${uri}?code=`), answered.location)
  }
})

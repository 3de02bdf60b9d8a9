// An app's question and the owner's answer, on the running service: ATTACKS 40 to 48 as far as they are the admin's.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { makeClientId } from '../../src/doors/oauth/client-id.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword, type Page, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, callback, exchangeForm, makeProof, openOwner, postForm, register } from '../doors/oauth/flow.ts'
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

/** What a page shows between two tags, as text on one line. */
const textBetween = (page: Page, tag: string): string => {
  const inner = new RegExp(`<${tag}(?: [^>]*)?>([^]*?)</${tag}>`).exec(page.text)?.[1] ?? ''
  return inner
    .replace(/<[^>]*>/g, ' ')
    .replace(/&lt;/g, '<')
    .replace(/&gt;/g, '>')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .replace(/(?<=“) | (?=[”,.])/g, '')
    .trim()
}
const headingOf = (page: Page): string => textBetween(page, 'h1')

/** Says yes, and returns what the exchange of the code answers. */
async function connectAs(visitor: Visitor, asked: Readonly<Record<string, string>>, answer: Readonly<Record<string, string>>) {
  const { verifier, challenge } = makeProof()
  const form = (await ask(visitor, { ...asked, code_challenge: challenge })).form('/oauth/consent')
  const [code = ''] = codesOf(await visitor.submit(form, { answer: 'allow', ...answer }))
  const { json, text } = await postForm(site, '/oauth/token', exchangeForm(code, clientId, verifier))
  assert.ok(json.access_token, text)
  return json
}

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
  assert.match(headingOf(page), /^“<img src=x onerror=alert\(1\)> Claude Anthropic” wants to connect to /)
  assert.match(page.text, /<h1>[^]*<strong>localhost:3118<\/strong>\s*<\/h1>/)
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

const destinations: readonly (readonly [uri: string, shown: string, says: RegExp])[] = [
  ['https://localhost.evil.example/cb', 'localhost.evil.example', /This is a website\./],
  ['https://127.evil.example/cb', '127.evil.example', /This is a website\./],
  ['https://127.0.0.1.evil.example/cb', '127.0.0.1.evil.example', /This is a website\./],
  ['https://localhost-evil.example/cb', 'localhost-evil.example', /This is a website\./],
  ['https://claude.ai:8443/cb', 'claude.ai:8443', /This is a website\./],
  ['https://xn--clude-2ta.ai/cb', 'xn--clude-2ta.ai', /letters beyond a to z/],
  ['http://localhost:3118/callback', 'localhost:3118', /the computer you are using now/],
  ['http://localhost/callback', 'localhost:80', /the computer you are using now/],
  ['http://127.0.0.1:9/cb', '127.0.0.1:9', /the computer you are using now/],
  ['http://[::1]:9/cb', '[::1]:9', /the computer you are using now/],
  ['claude.ai:/cb', 'an app on your device', /has the scheme <code>claude\.ai:<\/code>, which is not the address of a website/],
  ['localhost.app:/cb', 'an app on your device', /has the scheme <code>localhost\.app:<\/code>/],
  ['cursor://anysphere.cursor-mcp/cb', 'an app on your device', /has the scheme <code>cursor:\/\/anysphere\.cursor-mcp<\/code>/],
]
for (const [uri, shown, says] of destinations) {
  test(`attack 142: the question leads with the name, and with ${shown} for ${uri}`, async () => {
    const id = await register(site, { redirect_uris: [uri], client_name: 'Claude' })
    const address = authorizeUrl(site.base, id, { redirect_uri: uri }).href
    const page = await owner.open(address)
    assert.equal(headingOf(page), `“Claude” wants to connect to My site, and sends you to ${shown}`)
    assert.match(page.text.replace(/\s+/g, ' '), says)
    assert.equal(page.text.includes('the computer you are using now'), /computer/.test(says.source))
    assert.ok(!page.text.includes('own computer'))
    const before = await openVisitor(site).open(address)
    assert.match(
      before.text.replace(/\s+/g, ' '),
      new RegExp(`sends you to <strong>${shown.replace(/[.[\]]/g, '\\$&')}</strong>`),
    )
  })
}

test('attack 142: a host in full-width letters, or with escapes of them, can not be registered at all', async () => {
  for (const uri of [
    'https://\uff4cocalhost/cb',
    'https://%EF%BD%8Cocalhost/cb',
    'https://\u0441laude.ai/cb',
    'https://claude\u3002ai/cb',
  ]) {
    const answer = await site.send('/oauth/register', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: [uri] }),
    })
    assert.deepEqual([answer.status, answer.json.error], [400, 'invalid_redirect_uri'], uri)
  }
})

test('attack 142: an app that gives no name is said to give none', async () => {
  const id = await register(site, { client_name: undefined })
  const page = await owner.open(authorizeUrl(site.base, id).href)
  assert.match(headingOf(page), /^An app without a name wants to connect to .*, and sends you to localhost:3118$/)
})

const choicesOf = (page: Page): readonly string[] =>
  [...page.text.matchAll(/name="scope" value="(\w+)"/g)].map(([, value = '']) => value)
const asksMark = (page: Page): string | undefined =>
  page.text
    .split('<label class="choice">')
    .find((choice) => choice.includes('The app asked for this'))
    ?.match(/value="(\w+)"/)?.[1]

const allChoices: readonly string[] = ['read', 'drafts', 'ask', 'content', 'admin']

for (const [asked, choices, marked] of [
  [undefined, allChoices, undefined],
  ['admin', allChoices, 'admin'],
  ['read content admin', allChoices, 'admin'],
  ['openid', allChoices, undefined],
  ['content', allChoices.slice(0, -1), 'content'],
  ['read', ['read'], 'read'],
] as const) {
  test(`the question for scope ${asked ?? 'none'} begins with content at most, and marks what the app asked for`, async () => {
    const page = await ask(owner, { scope: asked })
    assert.deepEqual(choicesOf(page), choices)
    assert.equal(
      page.form('/oauth/consent').fields['scope'],
      (choices as readonly string[]).includes('content') ? 'content' : 'read',
    )
    assert.equal(asksMark(page), marked)
  })
}

test('what the app asked for is the same after a sign-in: none stays none', async () => {
  for (const scope of [undefined, 'admin']) {
    const visitor = openVisitor(site)
    const form = (await ask(visitor, { scope })).form('/admin/sign-in')
    const question = await visitor.follow(await visitor.submit(form, { email: 'owner@example.org', password: ownersPassword }))
    assert.deepEqual([asksMark(question), question.form('/oauth/consent').fields['scope']], [scope, 'content'])
  }
})

for (const release of ['0.9', '0.10', '0.11'] as const) {
  test(`the question on release ${release} begins with what the app asked for, or admin`, async () => {
    await using old = await openSite({ env: { POSTERN_COMPAT: release } })
    await using beside = await openOwner(old, { POSTERN_COMPAT: release })
    const id = makeClientId(beside.site.key, { redirectUris: [callback], name: 'Claude', refreshes: true, issuedAt: 1 })
    const visitor = openVisitor(old)
    await visitor.signIn()
    for (const [scope, first] of [
      [undefined, 'admin'],
      ['admin', 'admin'],
      ['content', 'content'],
    ] as const) {
      const page = await visitor.open(authorizeUrl(old.base, id, { scope }).href)
      assert.equal(page.form('/oauth/consent').fields['scope'], first, page.text)
    }
  })
}

test('"drafts only" goes from the answer into code, tokens, their refreshing, the record and Connected Apps, and holds', async () => {
  const issued = await connectAs(owner, {}, { scope: 'drafts' })
  assert.equal(issued.scope, 'content')
  const refreshing = { grant_type: 'refresh_token', refresh_token: issued.refresh_token, client_id: clientId }
  const refreshed = (await postForm(site, '/oauth/token', refreshing)).json
  for (const token of [issued.access_token, refreshed.access_token]) {
    const draft = await site.api('SVC_Content.create', { type: 'page', title: 'A draft' }, { token })
    assert.equal(draft.json.data.item.status, 'draft', draft.text)
    const refused = await site.api('SVC_Content.publish', { ids: [draft.json.data.item.id], expect: 1 }, { token })
    assert.equal(refused.json.success, false, refused.text)
    assert.equal((await site.api('SVC_Content.get', { id: draft.json.data.item.id }, { token })).json.data.item.status, 'draft')
  }
  const [app] = (await site.call('SVC_Apps.list', { limit: 1 })).items
  assert.deepEqual([app.scope, app.limits], ['content', { drafts_only: true }])
  const page = await owner.open('/admin/apps')
  assert.match(page.text, /<small>drafts only<\/small>/)
  const [record] = (await site.call('SVC_Activity.list', { where: { call: 'SVC_Apps.connect' }, limit: 1 })).items
  assert.deepEqual((await site.call('SVC_Activity.get', { id: record.id })).item.input.limits, { drafts_only: true })
})

test('"ask me first" makes the changes of an app wait, and an answer that the question did not offer is the lowest', async () => {
  for (const [scope, expected] of [
    ['ask', ['content', { ask: ['*'] }]],
    ['backup', ['read', {}]],
    ['owner', ['read', {}]],
    ['content', ['content', {}]],
  ] as const) {
    await connectAs(owner, {}, { scope })
    const [app] = (await site.call('SVC_Apps.list', { limit: 1 })).items
    assert.deepEqual([app.scope, app.limits], expected)
  }
})

test('attack 142: Connected Apps shows a scheme as an app on the device', async () => {
  const uri = 'claude.ai:/cb'
  const { verifier, challenge } = makeProof()
  const id = await register(site, { redirect_uris: [uri], client_name: 'Claude' })
  const page = await owner.open(authorizeUrl(site.base, id, { redirect_uri: uri, code_challenge: challenge }).href)
  const answered = await owner.submit(page.form('/oauth/consent'), { answer: 'allow' })
  const code = new URL(answered.location).searchParams.get('code') ?? ''
  await postForm(site, '/oauth/token', { ...exchangeForm(code, id, verifier), redirect_uri: uri })
  const apps = (await owner.open('/admin/apps')).text.replace(/\s+/g, ' ')
  assert.match(apps, /<a href="[^"]+">An app on your device<\/a>/)
  assert.match(apps, /It has the scheme <code>claude\.ai:<\/code>\./)
})

test('attack 128: an app is allowed only by somebody who proved lately who they are, and a wrong password asks the question anew', async () => {
  const visitor = openVisitor(site)
  await visitor.signIn()
  await editRows(site.home, 'update session set authenticated_at = 0')
  try {
    const question = await ask(visitor)
    const form = question.form('/oauth/consent')
    assert.equal(form.fields['password'], '')
    const refused = await visitor.submit(form, { answer: 'allow', password: 'wrong wrong wrong' })
    assert.equal(refused.status, 403)
    assert.match(refused.text, /That is not your password/)
    assert.equal(codesOf(await visitor.submit(form, { answer: 'deny' })).length, 0, 'a denial needs none')
    const allowed = await visitor.submit(refused.form('/oauth/consent'), { answer: 'allow', password: ownersPassword })
    assert.equal(codesOf(allowed).length, 1)
  } finally {
    await editRows(site.home, 'delete from sign_in_attempt')
  }
})

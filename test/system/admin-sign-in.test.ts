// Sign-in, sessions and forms of the running service: ATTACKS 20, 21, 44, 47, 62 to 64, 67 to 71, 100, 127, 128.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { hashPassword } from '../../src/identity/password.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword, setUpLinkOf, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, register } from '../doors/oauth/flow.ts'
import { processorMsOf } from '../processor-time.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
before(async () => {
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
})
after(() => site[Symbol.asyncDispose]())

async function signedIn(on: TestSite = site): Promise<Visitor> {
  const visitor = openVisitor(on)
  const page = await visitor.signIn()
  assert.equal(page.status, 303, page.text)
  return visitor
}

/** The owner's attempts of tests before are forgotten. */
const forgetAttempts = (on: TestSite = site) => editRows(on.home, 'delete from sign_in_attempt')

test('signing in leads to the admin, and every page of it is there', async () => {
  const visitor = await signedIn()
  for (const path of ['/admin/', '/admin/apps', '/admin/tokens', '/admin/settings', '/admin/account', '/admin/tokens/']) {
    const page = await visitor.open(path)
    assert.equal(page.status, 200, path)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.match(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self'; style-src 'self'; /)
    assert.equal(page.headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups')
    assert.equal(page.headers.get('referrer-policy'), 'same-origin')
    assert.equal(page.headers.get('x-content-type-options'), 'nosniff')
  }
})

test('a page names its scripts by the hash of their content, a browser may keep them for ever, and other pages have the shortcuts alone', async () => {
  const visitor = await signedIn()
  const { text } = await visitor.open('/admin/')
  const named = [...text.matchAll(/<script src="([^"]+)" integrity="([^"]+)"[^>]* defer><\/script>/g)]
  const [, path = '', integrity = ''] = named.find(([, one]) => one?.includes('admin-copy-')) ?? []
  const script = await visitor.open(path)
  assert.equal(script.status, 200)
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(script.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  const hash = createHash('sha256').update(script.text).digest()
  assert.equal(integrity, `sha256-${hash.toString('base64')}`)
  assert.equal(path, `/admin/assets/admin-copy-${hash.toString('hex').slice(0, 12)}.js`)
  assert.ok(!script.text.includes('\n//'), 'it is built: small, without comments')
  assert.equal(text.match(/<script\b/g)?.length, 2)
  for (const other of ['/admin/apps', '/admin/people', '/admin/terms']) {
    const [only, ...more] = (await visitor.open(other)).text.match(/<script\b[^>]*>/g) ?? []
    assert.match(only ?? '', /admin-shell-/, other)
    assert.deepEqual(more, [], other)
  }
})

test('who is not signed in is led to the sign-in and back to the page', async () => {
  const visitor = openVisitor(site)
  const first = await visitor.open('/admin/tokens')
  assert.equal(first.status, 303)
  const form = (await visitor.follow(first)).form('/admin/sign-in')
  const done = await visitor.submit(form, { email: 'owner@example.org', password: ownersPassword })
  assert.equal(done.location, '/admin/tokens')
})

for (const next of [
  '//evil.example',
  '/\\evil.example',
  'https:evil.example',
  'https://evil.example/',
  '/admin/../x',
  '/oauth/authorize?\\x',
  '/',
]) {
  test(`attack 47: a sign-in that is to lead to ${next} leads to /admin/, on success and failure alike`, async () => {
    await forgetAttempts()
    const visitor = openVisitor(site)
    const { fields, ...form } = (await visitor.open(`/admin/sign-in?next=${encodeURIComponent(next)}`)).form('/admin/sign-in')
    assert.equal(fields['next'], '/admin/')
    const wrong = await visitor.submit({ ...form, fields }, { email: 'owner@example.org', password: 'wrong', next })
    assert.equal(wrong.form('/admin/sign-in').fields['next'], '/admin/')
    const right = await visitor.submit({ ...form, fields }, { email: 'owner@example.org', password: ownersPassword, next })
    assert.equal(right.location, '/admin/')
  })
}

test('attack 62: an unknown account and a wrong password get the same status, the same page and about the same work', async () => {
  await using measured = await openSite({ ownProcess: true })
  await measured.call('SVC_Accounts.create', { email: 'known@example.org', name: 'Known', role: 'read' })
  const hash = await hashPassword('a password of its own')
  await editRows(measured.home, 'update account set password_hash = ? where email = ?', hash, 'known@example.org')
  const visitor = openVisitor(measured)
  const form = (await visitor.open('/admin/sign-in')).form('/admin/sign-in')
  const pages = new Set<string>()
  const workOf = async (email: string) => {
    const before = await processorMsOf(measured.process.pid)
    for (let round = 0; round < 2; round++) {
      const page = await visitor.submit(form, { email, password: 'wrong wrong wrong' })
      pages.add(`${page.status} ${page.text.replaceAll(email, 'E-MAIL')}`)
    }
    return (await processorMsOf(measured.process.pid)) - before
  }
  const [known, unknown] = [await workOf('known@example.org'), await workOf('nobody@example.org')]
  assert.equal(pages.size, 1)
  assert.ok(Math.abs(known - unknown) < known / 2, `${known} and ${unknown} ms`)
})

test('attack 63: rotating X-Forwarded-For from a peer that is no proxy, letter case and extra fields are one bucket: 429', async () => {
  await using strict = await openSite({ env: { POSTERN_TRUSTED_PROXIES: 'none' } })
  const visitor = openVisitor(strict)
  const form = (await visitor.open('/admin/sign-in')).form('/admin/sign-in')
  const statuses: number[] = []
  let last
  for (let at = 0; at < 7; at++) {
    const email = at % 2 === 0 ? 'owner@example.org' : 'OWNER@Example.org'
    last = await visitor.submit(form, { email, password: 'wrong', extra: String(at) }, { 'x-forwarded-for': `203.0.113.${at}` })
    statuses.push(last.status)
  }
  assert.deepEqual(statuses, [403, 403, 403, 403, 403, 429, 429])
  const seconds = Number(last?.headers.get('retry-after'))
  assert.ok(seconds > 0 && seconds <= 900)
  const { total } = await strict.call('SVC_Logs.list', { search: 'sign-in refused', count: true })
  assert.equal(total, 5, 'nobody fills the error log with attempts that are not looked at')
  assert.equal(strict.log.filter((line) => line.includes('"reason":"throttled"')).length, 2)
})

test('attack 64: the owner still gets in from a known browser while an attacker has used up the attempts, and a stranger does not', async () => {
  await forgetAttempts()
  const owner = await signedIn()
  const attacker = openVisitor(site)
  const form = (await attacker.open('/admin/sign-in')).form('/admin/sign-in')
  for (let at = 0; at < 6; at++) await attacker.submit(form, { email: 'owner@example.org', password: 'guess' })
  assert.equal((await attacker.submit(form, { email: 'owner@example.org', password: ownersPassword })).status, 429)
  await owner.submit((await owner.open('/admin/')).form('/admin/sign-out'))
  assert.equal((await owner.signIn()).status, 303)
  await forgetAttempts()
})

test('attack 67: a cookie that was copied before the sign-out is dead after it', async () => {
  const visitor = await signedIn()
  const copy = openVisitor(site)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  assert.equal((await copy.open('/admin/')).status, 200)
  const out = await visitor.submit((await visitor.open('/admin/')).form('/admin/sign-out'))
  assert.equal(out.status, 303)
  assert.equal((await copy.open('/admin/')).status, 303)
  assert.equal((await visitor.open('/admin/')).status, 303)
})

test('attack 67: a cookie that was copied before a change of password is dead after it, and so are all other sessions', async () => {
  await using own = await openSite()
  const visitor = await signedIn(own)
  const other = await signedIn(own)
  const copy = openVisitor(own)
  for (const [name, value] of visitor.cookies) copy.cookies.set(name, value)
  const form = (await visitor.open('/admin/account')).form('/admin/account/password')
  const wrong = await visitor.submit(form, { current: 'not it not it', password: 'another good password' })
  assert.equal(wrong.status, 403)
  const changed = await visitor.submit(form, { current: ownersPassword, password: 'another good password' })
  assert.equal(changed.status, 303, changed.text)
  assert.equal((await visitor.follow(changed)).status, 200)
  assert.deepEqual([(await copy.open('/admin/')).status, (await other.open('/admin/')).status], [303, 303])
  assert.equal((await other.signIn()).status, 403)
  assert.equal((await other.signIn('owner@example.org', 'another good password')).status, 303)
})

test('attack 68: the cookie is another one after the sign-in, and the one before it opens nothing', async () => {
  const visitor = openVisitor(site)
  const form = (await visitor.open('/admin/sign-in')).form('/admin/sign-in')
  const early = visitor.cookies.get('postern') ?? ''
  await visitor.submit(form, { email: 'owner@example.org', password: ownersPassword })
  assert.notEqual(visitor.cookies.get('postern'), early)
  const old = openVisitor(site)
  old.cookies.set('postern', early)
  assert.equal((await old.open('/admin/')).status, 303)
})

for (const [where, env, basePath, name, path] of [
  ['at the root', { POSTERN_BASE_URL: 'https://site.example' }, '', '__Host-postern', '/'],
  ['in a subdirectory', { POSTERN_BASE_URL: 'https://site.example/blog' }, '/blog', '__Secure-postern', '/blog'],
] as const) {
  test(`attack 68: over https ${where} the cookie is ${name}, and one that a neighbour could set is not read`, async () => {
    // The slug is the address's own here; the option only tells the tests where it is.
    await using secure = await openSite({ env: { ...env, POSTERN_BASE_PATH: basePath }, basePath })
    const visitor = openVisitor(secure)
    const page = await visitor.open('/admin/sign-in')
    const line = page.headers.getSetCookie().join('\n')
    assert.match(line, new RegExp(`^${name}=[\\w-]+; Path=${path}; HttpOnly; SameSite=Lax; Secure$`))
    const done = await visitor.submit(page.form('/admin/sign-in'), { email: 'owner@example.org', password: ownersPassword })
    assert.equal(done.status, 303, done.text)
    assert.deepEqual([...visitor.cookies.keys()].sort(), [name, `${name}-known`])
    assert.match(done.headers.get('strict-transport-security') ?? '', /^max-age=\d+$/)
    assert.equal((await visitor.open('/admin/')).status, 200)
    const sibling = openVisitor(secure)
    sibling.cookies.set('postern', visitor.cookies.get(name) ?? '')
    assert.equal((await sibling.open('/admin/')).status, 303)
  })
}

test('attack 69: a form without its token, with another session’s or purpose’s, or that another site sends is 403 and does nothing', async () => {
  const visitor = await signedIn()
  const other = await signedIn()
  const form = (await visitor.open('/admin/settings')).form('/admin/settings')
  const foreign = (await other.open('/admin/settings')).form('/admin/settings').fields['csrf']
  const purpose = (await visitor.open('/admin/tokens')).form('/admin/tokens').fields['csrf']
  const rows = await readRows(site.home, ['token_use', 'session'])
  const set = { site_title: 'Taken over' }
  for (const [what, page] of [
    ['none', await visitor.submit(form, { ...set, csrf: undefined })],
    ["another session's", await visitor.submit(form, { ...set, csrf: foreign })],
    ["another purpose's", await visitor.submit(form, { ...set, csrf: purpose })],
    ['cross-site', await visitor.submit(form, set, { 'sec-fetch-site': 'cross-site' })],
    ['same-site', await visitor.submit(form, set, { 'sec-fetch-site': 'same-site' })],
  ] as const) {
    assert.equal(page.status, 403, what)
    assert.match(page.headers.get('content-type') ?? '', /text\/html/)
  }
  assert.deepEqual(await readRows(site.home, ['token_use', 'session']), rows)
})

test('attack 69: what changes something is 405 by GET', async () => {
  const visitor = await signedIn()
  for (const path of [
    '/admin/sign-out',
    '/admin/set-up',
    '/admin/apps/remove',
    '/admin/tokens/revoke',
    '/admin/account/password',
  ]) {
    const page = await visitor.open(path)
    assert.equal(page.status, 405, path)
    assert.equal(page.headers.get('allow'), 'POST')
  }
})

test('attack 69: a form that a browser without fetch metadata sends from another origin is 403', async () => {
  const visitor = await signedIn()
  const form = (await visitor.open('/admin/settings')).form('/admin/settings')
  const body = new URLSearchParams({ ...form.fields, site_title: 'Taken over' }).toString()
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const [origin, status] of [
    ['https://evil.example', 403],
    ['null', 403],
    [site.base, 303],
  ] as const) {
    const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await site.send('/admin/settings', { method: 'POST', headers, body, token: null })).status, status, origin)
  }
})

test('attack 70: a cross-site text/plain POST to /api/ or /mcp/ with a live cookie is anonymous', async () => {
  const visitor = await signedIn()
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'content-type': 'text/plain', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const api = await site.send('/api/', { method: 'POST', headers, token: null, body: '{"action":"SVC_API.welcome"}' })
  assert.equal(api.json.data.you.tier, 'anonymous')
  const mcp = await site.send('/mcp/', { method: 'POST', headers, token: null, body: '{}' })
  assert.equal(mcp.status, 401)
})

test('attack 71: a password of 1 MB is 400', async () => {
  const visitor = openVisitor(site)
  const form = (await visitor.open('/admin/sign-in')).form('/admin/sign-in')
  for (const length of [1024 * 1024, 1025]) {
    const page = await visitor.submit(form, { email: 'owner@example.org', password: 'x'.repeat(length) })
    assert.equal(page.status, 400, String(length))
  }
})

test('attack 71: 200 sign-ins at once are queued or turned away; what needs no hash passes them, and so does too long a password', async () => {
  const env = { POSTERN_SIGN_INS_PER_ADDRESS: '1000', POSTERN_SIGN_INS_PER_ACCOUNT: '1000' }
  await using busy = await openSite({ ownProcess: true, env })
  const visitor = openVisitor(busy)
  const form = (await visitor.open('/admin/sign-in')).form('/admin/sign-in')
  const statuses: number[] = []
  const all = Array.from({ length: 200 }, async (_, at) => {
    const page = await visitor.submit(form, { email: `x${at}@example.org`, password: 'wrong wrong' })
    statuses.push(page.status)
  })
  const ended = Promise.allSettled(all)
  await until('some are turned away, and one is answered', () => statuses.includes(429) && statuses.includes(403))
  assert.equal((await busy.send('/')).status, 200)
  assert.equal((await visitor.submit(form, { email: 'x@example.org', password: 'x'.repeat(1025) })).status, 400)
  // Each would take its hundred milliseconds; that all of them have their turn is the queue's own test.
  assert.ok(statuses.length < all.length, 'others still wait')
  await busy.stop('SIGKILL')
  await ended
  // A database that is too busy to count an attempt in time says so with 503.
  assert.deepEqual([...new Set(statuses)].filter((status) => status !== 503).sort(), [403, 429])
})

test('attack 100: below /admin/ a name of a file gets no page of the admin, and nothing to keep', async () => {
  const visitor = await signedIn()
  for (const path of ['/admin/x.css', '/admin/apps/x.js', '/admin/settings.css']) {
    const page = await visitor.open(path)
    assert.equal(page.status, 404, path)
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.ok(!page.text.includes('csrf'))
  }
})

test('attack 127: a personal token opens no page of the admin, with and without slash and in any case', async () => {
  for (const path of [
    '/admin',
    '/admin/',
    '/admin/apps',
    '/admin/apps/',
    '/ADMIN/apps',
    '/Admin/',
    '/admin/Tokens',
    '/admin/settings',
  ]) {
    const answer = await site.send(path)
    assert.ok([302, 303, 403, 404].includes(answer.status), `${path}: ${answer.status}`)
    assert.ok(!answer.text.includes('Sign out'), path)
  }
  const post = await site.send('/admin/tokens', { method: 'POST', body: 'name=x&scope=admin' })
  assert.equal(post.status, 403)
})

test('attack 128: a session of more than 15 minutes is asked for the password before a token is made', async () => {
  await forgetAttempts()
  const visitor = await signedIn()
  const fresh = (await visitor.open('/admin/tokens')).form('/admin/tokens')
  assert.ok(!('password' in fresh.fields))
  await editRows(site.home, 'update session set authenticated_at = authenticated_at - 901000')
  const asked = (await visitor.open('/admin/tokens')).form('/admin/tokens')
  assert.ok('password' in asked.fields)
  const name = 'made late'
  for (const password of [undefined, '', 'wrong']) {
    const page = await visitor.submit(asked, { name, password })
    assert.equal(page.status, 403)
    assert.ok(!page.text.includes('pst_'))
  }
  const list = await site.call('SVC_Tokens.list', { where: { name } })
  assert.deepEqual(list.items, [])
  const made = await visitor.submit(asked, { name, password: ownersPassword })
  assert.equal(made.status, 200)
  assert.match(made.text, /pst_[\w-]{43}/)
  assert.ok(!('password' in (await visitor.open('/admin/tokens')).form('/admin/tokens').fields))
})

test('attack 20: the first visit is asked for the set-up code, loopback or not; with it the admin is made, once', async () => {
  await using bare = await openSite({ bare: true, env: { POSTERN_TRUSTED_PROXIES: 'none' } })
  const stranger = openVisitor(bare)
  const page = await stranger.open('/admin/')
  assert.equal(page.status, 200)
  assert.equal(page.forms.length, 0)
  assert.match(page.text, /Set up/)
  assert.equal((await stranger.open('/admin/?code=guess')).status, 403)
  const visitor = openVisitor(bare)
  const link = await setUpLinkOf(bare)
  assert.ok(link.startsWith(`${bare.base}/admin/?code=`), link)
  const filled = { email: 'ada@example.org', name: 'Ada', password: 'long enough for this' }
  const form = (await visitor.open(link)).form('/admin/set-up')
  assert.equal((await visitor.submit(form, { ...filled, code: 'guess' })).status, 403)
  assert.equal((await visitor.submit(form, { ...filled, password: 'short' })).status, 422)
  assert.equal((await visitor.submit(form, filled)).location, '/admin/start')
  assert.equal((await visitor.open('/admin/')).status, 200)
  assert.equal((await openVisitor(bare).open(link)).location, '/admin/sign-in')
})

for (const release of ['0.9', '0.10', '0.11'] as const) {
  test(`release ${release}: the first visit registers the admin without a code`, async () => {
    await using bare = await openSite({ bare: true, release })
    const visitor = openVisitor(bare)
    const form = (await visitor.open('/admin/')).form('/admin/set-up')
    const done = await visitor.submit(form, { email: 'ada@example.org', name: 'Ada', password: 'long enough for this' })
    assert.equal(done.status, 303, done.text)
    const home = await visitor.follow(done)
    assert.match(home.text, new RegExp(`behaves like release ${release}`))
    assert.equal((await openVisitor(bare).open('/admin/')).location, '/admin/sign-in')
  })
}

test('attack 21: of two first visits at once one makes the admin; one that another site sends makes none', async () => {
  await using bare = await openSite({ bare: true, release: '0.11' })
  const visitors = [openVisitor(bare), openVisitor(bare)]
  const forms = await Promise.all(visitors.map(async (visitor) => (await visitor.open('/admin/')).form('/admin/set-up')))
  const filled = (at: number) => ({ email: `v${at}@example.org`, name: 'V', password: 'long enough for this' })
  const foreign = await visitors[0]!.submit(forms[0]!, filled(0), { 'sec-fetch-site': 'cross-site' })
  assert.equal(foreign.status, 403)
  await Promise.all(visitors.map((visitor, at) => visitor.submit(forms[at]!, filled(at))))
  assert.equal((await readRows(bare.home))['account']?.length, 1)
})

test('attack 19: behind a proxy that names a host nobody vouches for no cookie is read, and nobody signs in', async () => {
  const visitor = await signedIn()
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const { request } = await import('node:http')
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { host: 'evil.example', 'x-forwarded-for': '203.0.113.9', cookie }
    request({ port: site.port, host: '127.0.0.1', path: '/admin/', headers }, (answer) => resolve(answer.resume().statusCode))
      .on('error', reject)
      .end()
  })
  assert.equal(status, 403)
})

test('attack 123: no password, cookie, set-up code or link is in the log or the records', async () => {
  const visitor = await signedIn()
  const { link } = await site.call('SVC_Accounts.create', { email: 'linked@example.org', name: 'L', role: 'read' })
  const code = new URL(link as string).searchParams.get('code') ?? ''
  const text = JSON.stringify([site.log, await readRows(site.home)])
  for (const secret of [ownersPassword, code, ...visitor.cookies.values()]) assert.ok(!text.includes(secret), secret.slice(0, 8))
})

test('a link of a new account sets its password once and signs in; then it is no good', async () => {
  const { link } = await site.call('SVC_Accounts.create', { email: 'new@example.org', name: 'New', role: 'content' })
  const visitor = openVisitor(site)
  const form = (await visitor.open(link as string)).form('/admin/new-password')
  assert.equal((await visitor.submit(form, { password: 'short' })).status, 422)
  const done = await visitor.submit(form, { password: 'now it is long enough' })
  assert.equal(done.status, 303, done.text)
  const home = await visitor.follow(done)
  assert.equal(home.status, 200)
  assert.ok(!home.text.includes('Site Settings'), 'a page that this role may not use is not offered')
  assert.equal((await visitor.open('/admin/settings')).status, 403)
  assert.equal((await openVisitor(site).open(link as string)).status, 403)
  assert.equal((await openVisitor(site).signIn('new@example.org', 'now it is long enough')).status, 303)
})

test('admin reset-password prints a link alone on its line, and ends the password and the sessions there were', async () => {
  await using own = await openSite()
  const visitor = await signedIn(own)
  const { code, stdout } = await own.postern(['admin', 'reset-password', 'owner@example.org'])
  assert.equal(code, 0)
  assert.match(stdout, /^http:\/\/\S+\/admin\/new-password\?code=psl_[\w-]{43}\n$/)
  assert.equal((await visitor.open('/admin/')).status, 303)
  assert.equal((await visitor.signIn()).status, 403)
  assert.equal((await own.postern(['admin', 'reset-password', 'nobody@example.org'])).code, 3)
  assert.equal((await own.postern(['admin', 'reset-password'])).code, 2)
})

test('the authorize page offers no way in on a site without an owner', async () => {
  await using bare = await openSite({ bare: true })
  const page = await openVisitor(bare).open(authorizeUrl(bare.base, await register(bare)).href)
  assert.equal(page.status, 403)
  assert.equal(page.forms.length, 0)
})

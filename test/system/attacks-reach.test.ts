// Attacks 146, 152 and 160: what a script of a public page can reach of the admin with the cookies of somebody who is signed in. Here its requests are made
// with the headers that browsers send; test/deep/attacks-browser.test.ts makes them in a browser.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Services } from '../../src/actions/call/services.ts'
import { adminRoutes } from '../../src/admin/routes.ts'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const rows = adminRoutes({} as Services)
const pages = rows.filter(({ kind, path }) => kind === 'window' && !/[*:]/.test(path))
const forScripts = rows.filter(({ kind }) => kind === 'script')

/** All destinations but that of a window. @see Fetch §2.2.5 "destination" */
const destinations =
  'audio audioworklet embed empty fencedframe font frame iframe image json manifest object paintworklet report script serviceworker sharedworker style track video webidentity worker xslt'.split(
    ' ',
  )
const secret = /name="csrf"|name="question"|data-csrf/

test('attack 152: each address of the admin has a kind, and only assets and addresses with a key answer any request', () => {
  const open = rows.filter(({ kind }) => kind !== 'window' && kind !== 'script').map(({ path, kind }) => `${kind} ${path}`)
  assert.ok(pages.length > 50)
  for (const row of open) assert.match(row, /^(?:asset \/admin\/assets\/|download \/(?:admin\/backups|media\/_\/upload)\/)/)
})

test('attack 152: no page of the admin answers a request of a script or a frame', async () => {
  for (const { path, methods } of pages) {
    for (const dest of path === '/admin/' ? destinations : ['empty', 'iframe']) {
      const page = await owner.open(path, { 'sec-fetch-dest': dest, 'sec-fetch-site': 'same-origin' })
      assert.equal(page.status, 403, `${path} ${dest}`)
      assert.doesNotMatch(page.text, secret)
    }
    if (!methods.GET) continue
    const plain = await owner.open(path)
    const window = await owner.open(path, { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' })
    assert.equal(window.status, plain.status, path)
  }
})

test('attack 152: the slash redirect, a missing page and a method that is not taken are refused too', async () => {
  for (const path of ['/admin', '/admin/nothing-here']) {
    assert.equal((await owner.open(path, { 'sec-fetch-dest': 'iframe' })).status, 403, path)
  }
  const headers = { 'sec-fetch-dest': 'empty' }
  assert.equal((await site.send('/admin/settings', { method: 'DELETE', token: null, headers })).status, 403)
})

test('attack 152: what the scripts of the admin ask answers JSON without a token, and wants the token of their page', async () => {
  assert.ok(forScripts.length > 4)
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  for (const { path, methods } of forScripts)
    for (const [who, sent] of [['owner', { cookie }] as const, ['stranger', {}] as const])
      for (const dest of ['empty', 'document', 'iframe', undefined]) {
        const headers = { ...sent, 'sec-fetch-site': 'same-origin', ...(dest !== undefined && { 'sec-fetch-dest': dest }) }
        const body = new URLSearchParams({ title: 'x' }).toString()
        const type = { 'content-type': 'application/x-www-form-urlencoded' }
        const answer = await site.send(path, {
          method: methods.GET ? 'GET' : 'POST',
          token: null,
          headers: methods.GET ? headers : { ...headers, ...type },
          ...(!methods.GET && { body }),
        })
        const what = `${path} by ${who} for ${dest}: ${answer.status} ${answer.text}`
        assert.ok(answer.status === 403 || answer.status === 400, what)
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/, what)
        assert.deepEqual(
          Object.keys(answer.json).filter((key) => key !== 'signed_out'),
          ['message'],
          what,
        )
      }
})

// No app registers with 0.9.
for (const release of ['0.10', '0.11', '1'] as const)
  test(`attack 152: the consent page opens in windows alone, and for clients without these headers as before (${release})`, async () => {
    await using other = await openSite({ release })
    const clientId = await register(other)
    const visitor = openVisitor(other)
    await visitor.signIn()
    const valid = authorizeUrl(other.base, clientId).href
    const invalid = authorizeUrl(other.base, clientId, { client_id: 'unknown' }).href
    for (const headers of [
      {},
      { 'sec-fetch-mode': 'cors' },
      { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none', 'sec-fetch-user': '?1' },
    ]) {
      const page = await visitor.open(valid, headers)
      assert.equal(page.status, 200)
      assert.equal(page.headers.get('cross-origin-opener-policy'), null, 'the app that opened the window waits for it')
      assert.equal((await visitor.open(invalid, headers)).status, 400)
    }
    for (const dest of destinations)
      for (const method of ['GET', 'POST']) {
        const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const page = await fetch(valid, { method, headers: { cookie, 'sec-fetch-dest': dest, 'sec-fetch-site': 'same-origin' } })
        assert.equal(page.status, 403, `${method} ${dest}`)
        assert.doesNotMatch(await page.text(), secret)
      }
  })

test('attack 152: nothing on the site is a service worker', async () => {
  const { text } = await owner.open('/')
  const [asset = ''] = /\/admin\/assets\/[^"]+/.exec(text) ?? []
  const paths = [
    '/',
    '/about.md',
    asset,
    '/feed.xml',
    '/healthz',
    '/admin/',
    '/oauth/authorize',
    '/mcp/',
    '/api/',
    '/nothing',
    '/a//b',
  ]
  for (const path of paths) {
    const { status } = await site.send(path, { headers: { 'service-worker': 'script', 'sec-fetch-dest': 'serviceworker' } })
    assert.equal(status, 403, path)
  }
})

test('attack 152: public pages have the header that parts them from the windows they open, and the admin has another', async () => {
  const opener = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await site.send(path, { token: null, headers })
    return [answer.status, answer.headers.get('cross-origin-opener-policy')]
  }
  await site.call('SVC_Content.create', { type: 'page', title: 'Quay', status: 'published' })
  const first = await site.send('/quay', { token: null })
  const etag = first.headers.get('etag') ?? ''
  for (const path of ['/', '/quay', '/quay', '/search?q=x']) assert.deepEqual(await opener(path), [200, 'same-origin'], path)
  assert.deepEqual(
    await opener('/quay', { 'if-none-match': etag }),
    [304, 'same-origin'],
    'a browser that has the page from before',
  )
  assert.deepEqual(await opener('/nothing'), [404, 'same-origin'])
  const { item } = await site.call('SVC_Content.create', { type: 'page', title: 'Draft' })
  const { url } = await site.call('SVC_Content.preview', { id: item.id })
  assert.deepEqual(await opener(new URL(url).pathname), [200, 'same-origin'])
  // A browser shows nothing of an answer that has this header and is sandboxed.
  for (const path of ['/quay.md', '/sitemap.xml']) assert.deepEqual(await opener(path), [200, null], path)
  await site.call('SVC_Settings.update', { set: { cache_seconds: 60, allowed_sources: ['https://cdn.example'] } })
  assert.deepEqual(await opener('/'), [200, 'same-origin'], 'a page that other caches keep')
  await site.call('SVC_Settings.maintenance', { on: true })
  assert.deepEqual(await opener('/'), [503, 'same-origin'])
  await site.call('SVC_Settings.maintenance', { on: false })
  assert.equal((await owner.open('/admin/')).headers.get('cross-origin-opener-policy'), 'same-origin-allow-popups')
  assert.equal(
    (await openVisitor(site).open('/admin/sign-in')).headers.get('cross-origin-opener-policy'),
    'same-origin-allow-popups',
  )
})

test('attack 160: a secret in the path, the referrer or the user agent is masked wherever it is kept', async () => {
  const [first, second] = [`pst_${'A'.repeat(30)}`, `eyJhbGciOiJIUzI1NiJ9.${'A'.repeat(30)}.${'A'.repeat(30)}`]
  const agent = `curl/8 Bearer ${first}`
  for (const path of [`/in/${first}`, `/in/${second}`, `/in/password=${'A'.repeat(30)}`]) {
    const headers = { referer: `https://other.example${path}?token=${first}`, 'user-agent': agent }
    assert.equal((await site.send(path, { token: null, headers })).status, 404)
  }
  const visitor = openVisitor(site, { 'user-agent': agent })
  await visitor.signIn()
  const missing = await site.call('SVC_Redirects.missing', {})
  const paths: string[] = missing.items.map(({ path }: { path: string }) => path)
  assert.deepEqual(paths.filter((path) => path.startsWith('/in/')).toSorted(), ['/in/eyJ…', '/in/password=…', '/in/pst_…'])
  assert.deepEqual(missing.from_strangers, ['path', 'referrer'])
  const logs = await site.call('SVC_Logs.list', {})
  assert.deepEqual(logs.from_strangers, ['message', 'fields'])
  await site.stop()
  const kept: string[] = [...site.log]
  for (const file of await readdir(site.home, { recursive: true, withFileTypes: true }))
    if (file.isFile()) kept.push(await readFile(join(file.parentPath, file.name), 'latin1'))
  assert.ok(kept.length > 3)
  for (const text of kept) assert.doesNotMatch(text, /A{30}/)
})

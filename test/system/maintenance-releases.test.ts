// Maintenance by release: what each door and the public site answer while it is on, and what stays open.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeep } from '../deep-run.ts'
import { call, callMessage, postMcp, shownWords, words } from '../maintenance-calls.ts'
import { openSite, type SendOptions, type SiteOptions, type TestSite } from '../site.ts'

const mcp = (site: TestSite, body: unknown, more: SendOptions = {}) => postMcp(site, body, { token, ...more })

/** One home for all: closed at its first site, it is closed at every other. */
let first: TestSite
let token = ''
before(async () => {
  first = await openSite()
  token = first.token
  await first.call('SVC_Content.create', { type: 'page', title: 'About', slug: 'about', status: 'published' })
  await first.call(call, { on: true, message: words, until: '2099-01-31T18:00Z' })
})
after(() => first[Symbol.asyncDispose]())

type Release = NonNullable<SiteOptions['release']>
const everywhere: readonly (readonly [release: Release, basePath: string])[] = (['0.9', '0.10', '0.11', '1'] as const).flatMap(
  (release) => [[release, ''] as const, [release, '/blog'] as const],
)
/** A usual run has one with the answers of old releases, and this one. */
const places = everywhere.filter(
  ([release, basePath]) => isDeep || `${release}${basePath}` === '0.10/blog' || `${release}${basePath}` === '1',
)

for (const [release, basePath] of places) {
  describe(`release ${release}${basePath && ` below ${basePath}`}`, () => {
    const asPage = release !== '1'
    let site: TestSite
    before(async () => {
      site = await openSite({ release, basePath, home: first.home })
    })
    after(() => site[Symbol.asyncDispose]())

    test('a page is a page that says so, in every form and nowhere kept', async () => {
      for (const [path, headers] of [
        ['/', {}],
        ['/about', {}],
        ['/about.md', {}],
        ['/about', { accept: 'text/markdown' }],
        ['/about', { 'if-none-match': '*' }],
        ['/no-such', {}],
        ['/ext/some-plugin/page', {}],
      ] as const) {
        const answer = await site.send(path, { headers, token: null })
        assert.equal(answer.status, asPage ? 200 : 503, path)
        assert.equal(answer.headers.has('retry-after'), !asPage)
        assert.equal(answer.headers.get('cache-control'), 'no-store')
        assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
        assert.ok(answer.text.includes(shownWords), answer.text)
        assert.ok(answer.text.includes('2099'))
      }
    })

    test('/api/ refuses every call but the one that ends it, by an admin', async () => {
      for (const [action, shown] of [
        ['SVC_API.welcome', token],
        ['SVC_API.batch', token],
        ['SVC_API.welcome', null],
        [call, null],
      ] as const) {
        const answer = await site.api(action, {}, { token: shown })
        assert.equal(answer.status, asPage ? 200 : 503, action)
        assert.equal(answer.headers.get('access-control-allow-origin'), '*')
        if (asPage) {
          assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
          assert.ok(answer.text.includes(shownWords))
        } else {
          const { success, error } = answer.json
          assert.deepEqual([success, error.code], [false, 'unavailable'])
          assert.ok(error.message.includes(words))
          assert.equal(String(error.retry_after), answer.headers.get('retry-after'))
        }
      }
      const passed = await site.api(call, { on: true, dry_run: true }, { token })
      assert.deepEqual([passed.status, passed.json.success], [200, true])
    })

    test('/mcp/ refuses every request with its own id, and lets the one call in', async () => {
      for (const message of [
        { jsonrpc: '2.0', id: 'a', method: 'ping' },
        { jsonrpc: '2.0', id: 'a', method: 'initialize', params: { protocolVersion: '2025-11-25' } },
        { ...callMessage('SVC_API.welcome'), id: 'a' },
        { jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'SVC_API__list-actions' } },
      ]) {
        const answer = await mcp(site, message)
        assert.equal(answer.status, asPage ? 200 : 503)
        assert.equal(answer.headers.get('access-control-allow-origin'), '*')
        assert.ok(answer.headers.has('ratelimit-limit'))
        if (asPage) {
          assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
          continue
        }
        assert.deepEqual([answer.json.id, answer.json.error.code, answer.json.error.data.code], ['a', -32603, 'unavailable'])
        assert.equal(String(answer.json.error.data.retry_after), answer.headers.get('retry-after'))
      }
      const passed = await mcp(site, callMessage(call, { on: true }))
      assert.deepEqual([passed.status, passed.json.id, passed.json.result.structuredContent.success], [200, 7, true])
    })

    test('a missing token is still challenged at /mcp/, where one is needed', async () => {
      const answer = await mcp(site, callMessage(call, { on: false }), { token: null })
      if (release === '0.9') assert.match(answer.headers.get('content-type') ?? '', /^text\/html/)
      else assert.deepEqual([answer.status, answer.headers.has('www-authenticate')], [401, true])
    })

    test('the admin, sign-in, discovery, health, style and what is never served stay as they were', async () => {
      const health = 'maintenance: on until 2099-01-31T18:00:00.000Z\n'
      for (const [path, status, text] of [
        ['/healthz', 200, `ok\n${health}`],
        ['/readyz', 200, `ready\n${health}`],
        ['/.well-known/oauth-protected-resource', 200, '"resource"'],
        ['/admin/sign-in', 200, 'Maintenance is on'],
        ['/oauth/authorize', 400, 'Unknown client'],
        ['/user-content/logs/postern-errors.log', 403, ''],
      ] as const) {
        const answer = await site.send(path, { token: null })
        assert.equal(answer.status, status, path)
        assert.ok(answer.text.includes(text), answer.text)
      }
      assert.ok((await site.send('/')).text.includes('<style>'), 'the page needs no other file')
    })
  })
}

// Signed previews: they show what is not public to whoever has the link, for its time, at its address, and nothing keeps them.

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { previewAddress, readPreview } from '../../src/content/previews.ts'
import { createSiteKey } from '../../src/identity/site-key.ts'
import { openSite, type TestSite } from '../site.ts'
import { readRows, writeRows } from '../rows.ts'

let site: TestSite
before(async () => {
  site = await openSite({ basePath: '/blog' })
})
after(() => site[Symbol.asyncDispose]())

const open = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, redirect: 'manual' })
const previewOf = async (input: Record<string, unknown>): Promise<string> => (await site.call('SVC_Content.preview', input)).url

test('a preview shows a draft, what is staged, other fields and a new entry, and the public page stays as it is', async () => {
  const live = (await site.call('SVC_Content.create', { type: 'page', title: 'Live', status: 'published', body: 'Public text.' }))
    .item
  await site.call('SVC_Content.create', { type: 'post', title: 'Draft', body: 'Draft text.' })
  const page = await site.send('/live', { token: null })
  await site.call('SVC_Content.update', { id: live.id, body: 'Staged text.', stage: true })
  const shown = async (input: Record<string, unknown>) => (await open(await previewOf(input))).text()
  assert.match(await shown({ id: '/draft' }), /Draft text/)
  assert.match(await shown({ id: '/live' }), /Staged text/)
  const other = await shown({ id: '/live', title: 'Given' })
  assert.ok(other.includes('Staged text') && other.includes('<h1>Given</h1>'))
  assert.match(
    await shown({ type: 'post', title: 'Not there', body: 'A **new** one <script>x</script>' }),
    /<strong>new<\/strong>/,
  )
  const again = await site.send('/live', { token: null })
  assert.deepEqual([again.text, again.headers.get('etag')], [page.text, page.headers.get('etag')])
  assert.match((await site.send('/live.md', { token: null })).text, /Public text/)
  for (const [path, status] of [
    ['/draft', 404],
    ['/not-there', 404],
  ] as const)
    assert.equal((await site.send(path, { token: null })).status, status)
  const list = await site.call('SVC_Content.list', { count: true })
  assert.equal(list.total, 2)
})

test('attack 89: a preview is kept by nothing and leaks its address to nobody', async () => {
  const url = await previewOf({ id: '/draft' })
  for (const headers of [{}, { 'if-none-match': '*' }]) {
    const answer = await open(url, headers)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
    assert.match(answer.headers.get('x-robots-tag') ?? '', /noindex/)
    assert.equal(answer.headers.get('etag'), null)
  }
  const secret = url.slice(url.lastIndexOf('/') + 1)
  assert.ok(!site.log.some((line) => line.includes(secret)))
  await site.call('SVC_Content.update', { id: '/draft', body: 'Changed meanwhile.' })
  assert.match(await (await open(url)).text(), /Changed meanwhile/)
})

test('a preview that is forged, expired, made for another host or used at another path is no page', async () => {
  const url = await previewOf({ id: '/draft' })
  const at = url.lastIndexOf('/') + 1
  const token = url.slice(at)
  const flipped = token.slice(0, -6) + (token.at(-6) === 'A' ? 'B' : 'A') + token.slice(-5)
  const file = (await site.call('SVC_Content.preview', { id: '/draft' })).url as string
  for (const bad of [
    url.slice(0, at),
    `${url.slice(0, at)}psp_`,
    `${url.slice(0, at)}${token.slice(4)}`,
    `${url.slice(0, at)}${flipped}`,
    `${url}A`,
    `${url}=`,
    `${url}/`,
    `${url}.md`,
    url.replace('/user-content/preview/', '/user-content/signed/'),
    url.replace('/user-content/preview/', '/'),
    url.replace('127.0.0.1', 'localhost'),
    file.replace('/preview/', '/PREVIEW/'),
  ]) {
    const status = (await open(bad)).status
    assert.ok(status === 404 || status === 421 || status === 400, `${bad}: ${status}`)
  }
  assert.equal((await open(url, { accept: 'text/markdown' })).status, 200)
  const [short, stored] = [await previewOf({ id: '/draft', expires_in: 60 }), await previewOf({ id: '/draft', title: 'Kept' })]
  assert.equal((await open(stored)).status, 200)
  await writeRows(site.home, 'update preview set expires_at = 1', [])
  assert.equal((await open(stored)).status, 404)
  await previewOf({ id: '/draft', title: 'Another' })
  assert.equal((await readRows(site.home))['preview']?.length, 1)
  assert.equal((await open(short)).status, 200)
  await site.call('SVC_Content.delete', { ids: ['/draft'] })
  assert.equal((await open(short)).status, 404)
})

test('who may preview, and what a preview needs', async () => {
  for (const [input, field] of [
    [{}, 'id'],
    [{ type: 'post' }, 'title'],
    [{ id: '/live', expires_in: 5 }, 'expires_in'],
    [{ id: '/live', seo: { canonical: 'javascript:x' } }, 'seo.canonical'],
  ] as const)
    assert.equal((await site.api('SVC_Content.preview', input)).json.error.field, field)
  assert.equal((await site.api('SVC_Content.preview', { id: '/none' })).status, 404)
  assert.equal((await site.api('SVC_Content.preview', { id: '/live' }, { token: null })).json.error.code, 'unknown_action')
})

test('a link opens until its time, at the host and base path that it was made for', () => {
  const key = createSiteKey(randomBytes(32))
  const link = { entry: 'e', until: 1000 }
  const address = previewAddress(key, 'https://example.org/blog', link)
  const token = address.slice(address.lastIndexOf('/') + 1)
  assert.equal(readPreview(key, 'http://example.org/blog', token, 999)?.entry, 'e')
  for (const [origin, now] of [
    ['https://example.org/blog', 1000],
    ['https://example.org', 0],
    ['https://other.example/blog', 0],
  ] as const)
    assert.equal(readPreview(key, origin, token, now), undefined)
  assert.equal(readPreview(createSiteKey(randomBytes(32)), 'https://example.org/blog', token, 0), undefined)
})

// Old addresses and the menu as visitors meet them: over HTTP, below a base path, with everything that a browser sends.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite({ basePath: '/blog' })
  for (const title of ['About', 'Über uns', ...Array.from({ length: 8 }, (_, n) => `Page ${n}`)])
    await site.call('SVC_Content.create', { type: 'page', title, status: 'published' })
  await site.call('SVC_Redirects.put-many', {
    rules: [
      { from: '/old', to: '/about' },
      { from: '/old-query', to: '/about?a=1#part', status: 302 },
      { from: '/ueber', to: '/über-uns', status: 308 },
      { from: '/section/*', to: '/*' },
      { from: '/gone/*', to: null },
      { from: '/index.php?page=about', to: '/about' },
      { from: '/index.php?page=shop', to: 'https://other.example/shop?a=1#x' },
      { from: '/index.php?page=gone', to: null },
      { from: '/index.php?page=about&lang=de', to: '/über-uns', status: 302 },
      { from: '/about?print=1', to: '/old' },
      { from: '/?id=1', to: '/about' },
      { from: '/away/*', to: 'https://other.example/base/*' },
    ],
  })
})
after(() => site[Symbol.asyncDispose]())

const ask = (path: string) => site.send(path, { token: null })

const rows: readonly (readonly [path: string, status: number, location: string | null])[] = [
  ['/old', 301, '/blog/about'],
  ['/old/', 301, '/blog/about'],
  ['/old?utm=x&b=%2F', 301, '/blog/about?utm=x&b=%2F'],
  ['/old-query?b=2', 302, '/blog/about?a=1&b=2#part'],
  ['/ueber', 308, '/blog/%C3%BCber-uns'],
  ['/section/about', 301, '/blog/about'],
  ['/gone/for/good', 410, null],
  ['/away/x/y?z=1', 301, 'https://other.example/base/x/y?z=1'],
  ['/about/', 301, '/blog/about'],
  ['/index.php?page=about', 301, '/blog/about'],
  ['/index.php/?page=about&utm_source=x', 301, '/blog/about?utm_source=x'],
  ['/index.php?lang=de&page=about&b=2', 302, '/blog/%C3%BCber-uns?b=2'],
  ['/index.php?page=shop&b=2', 301, 'https://other.example/shop?a=1&b=2#x'],
  ['/index.php?page=gone', 410, null],
  ['/?id=1', 301, '/blog/about'],
  ['/?id=2', 200, null],
  ['/about?print=1', 301, '/blog/about'],
  ['/about?print=2', 200, null],
  ['/about', 200, null],
  ['/about?print=1', 301, '/blog/about'],
  ['/nothing', 404, null],
]
test('a redirect keeps base path and query, takes one hop, and a page that is gone says 410', async () => {
  for (const [path, status, location] of rows) {
    const answer = await ask(path)
    assert.deepEqual([answer.status, answer.headers.get('location')], [status, location], path)
  }
  const { items } = await site.call('SVC_Redirects.list', { where: { from: '/old' } })
  assert.equal(items[0].hits, 3)
  const missing = await site.call('SVC_Redirects.missing', {})
  assert.deepEqual(
    missing.items.map(({ path }: { path: string }) => path),
    ['/nothing'],
  )
})

test('attack 94: no path makes a redirect lead to another host', async () => {
  for (const path of [
    '/section//evil.example',
    '/section/%2Fevil.example',
    '/section/%5Cevil.example',
    '/section/.%2F/evil.example',
  ]) {
    const { status, headers } = await ask(path)
    const location = headers.get('location')
    assert.ok(status === 404 || (location !== null && /^\/blog\/[^/\\]/.test(location)), `${path}: ${status} ${location}`)
  }
})

test('without a menu the tenth page is reachable from every page, below More', async () => {
  const { text } = await ask('/about')
  for (const path of ['about', 'uber-uns', ...Array.from({ length: 8 }, (_, n) => `page-${n}`)])
    assert.ok(text.includes(`/blog/${path}"`), path)
  assert.match(text, /<details[^>]*>\s*<summary>More<\/summary>/)
})

test('a public entry that comes to the path of a redirect wins over it', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Old', status: 'published' })
  assert.equal((await ask('/old')).status, 200)
})

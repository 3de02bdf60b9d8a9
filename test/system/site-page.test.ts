// Looking at pages: what visitors get at a path, what waits, another theme, and nothing but the public site.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import sharp from 'sharp'
import { noBrowser } from '../admin/chromium.ts'
import { deepTest, isDeep } from '../deep-run.ts'
import { openEyes, runningIn } from '../eyes/open-eyes.ts'
import { type Answer, openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  const body = '# Bread\n\nWe bake [every day](/hours "Hours").\n\n## Rolls\n\nCrisp & warm.'
  await site.call('SVC_Content.create', { type: 'page', title: 'Bakery', slug: 'bakery', body, status: 'published' })
  await site.call('SVC_Content.create', { type: 'page', title: 'Secret plan', slug: 'plan', body: 'Not yet.', status: 'draft' })
})
after(() => site[Symbol.asyncDispose]())

const look = (input: Record<string, unknown>, token?: string) =>
  site.api('SVC_Site.page', input, token === undefined ? {} : { token }).then(({ json }) => json)

test('the outline tells what is seen in its order, with the facts of the page', async () => {
  const { data } = await look({ path: '/bakery' })
  assert.deepEqual([data.status, data.path, data.title, data.language], [200, '/bakery', 'Bakery – My site', 'en'])
  assert.match(data.canonical, /\/bakery$/)
  const lines: string[] = data.outline
  const at = (line: string | RegExp) => lines.findIndex((one) => (typeof line === 'string' ? one === line : line.test(one)))
  assert.ok(at('h1 Bread') >= 0 || at('h1 Bakery') >= 0, lines.join('\n'))
  assert.ok(at('a /hours: every day') > 0, lines.join('\n'))
  assert.ok(at('h2 Rolls') > at(/\/hours/), lines.join('\n'))
  const visited = await site.send('/bakery', { token: null })
  assert.ok(Math.abs(data.bytes - Buffer.byteLength(visited.text)) < 200, 'the size is the size of the page')
})

test('text and HTML come in parts', async () => {
  const { data: words } = await look({ path: '/bakery', as: 'text' })
  assert.match(words.text, /We bake every day\.\n[\s\S]*Crisp & warm\./)
  assert.doesNotMatch(words.text, /<|\{/)
  const { data: markup } = await look({ path: '/bakery', as: 'html' })
  assert.match(markup.html, /<h2 id="h-rolls"/)
  const body = Array.from({ length: 9000 }, (_, at) => `word${at}`).join(' ')
  await site.call('SVC_Content.create', { type: 'page', title: 'Long', slug: 'long', body, status: 'published' })
  const first = (await look({ path: '/long', as: 'text' })).data
  const more = (await look({ path: '/long', as: 'text', offset: first.next_offset })).data
  assert.match(first.text + more.text, /word4000 word4001/)
})

test('a redirect is followed within the site, and told where it leads elsewhere', async () => {
  await site.call('SVC_Redirects.create', { from: '/bread', to: '/bakery' })
  await site.call('SVC_Redirects.create', { from: '/away', to: 'https://example.com/x' })
  const { data: own } = await look({ path: '/bread' })
  assert.deepEqual([own.status, own.path, own.redirects], [200, '/bakery', ['/bread']])
  const { data: away } = await look({ path: '/away' })
  assert.deepEqual([away.status >= 300, away.leads_to, away.outline], [true, 'https://example.com/x', undefined])
})

test('a missing page is the page that visitors get, and a draft is missing unless it is asked for', async () => {
  assert.deepEqual([(await look({ path: '/nothing' })).data.status, (await look({ path: '/plan' })).data.status], [404, 404])
  const { data } = await look({ path: '/plan', staged: true, as: 'text' })
  assert.match(data.text, /Not yet\./)
  assert.equal((await look({ path: '/nothing', staged: true })).error.code, 'not_found')
})

test('what waits is shown as it will be', async () => {
  await site.call('SVC_Content.update', { id: '/bakery', body: 'Closed in August.', stage: true })
  assert.match((await look({ path: '/bakery', as: 'text', staged: true })).data.text, /Closed in August\./)
  assert.doesNotMatch((await look({ path: '/bakery', as: 'text' })).data.text, /Closed in August\./)
})

test('another theme is looked at before it is activated', async () => {
  await site.call('SVC_Themes.create', { slug: 'mine', from: 'default' })
  const layout =
    '<!doctype html><html lang="en"><head><title>{{ page.title }}</title></head><body><h1>In my theme</h1></body></html>'
  await site.call('SVC_Themes.write', { id: 'mine', file: 'page.liquid', text: layout })
  assert.deepEqual((await look({ path: '/bakery', theme: 'mine' })).data.outline, ['h1 In my theme'])
  assert.equal((await look({ path: '/bakery', theme: 'nothing' })).error.field, 'theme')
})

test('attack 174: no path leads to another host, a file, the service, or out of the site', async () => {
  const refused = [
    '/../etc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '//127.0.0.1/x',
    'http://127.0.0.1:22/',
    'https://example.com/bakery',
    'file:///etc/passwd',
    '/admin/',
    '/ADMIN/settings',
    '/api/',
    '/mcp/',
    '/metrics',
    '/user-content/preview/x',
    '/theme-preview/x/',
    '/a\\b',
    '/a\nb',
  ]
  for (const path of refused) {
    const { error, data } = await look({ path })
    assert.ok(error !== undefined || data.status === 404, `${path}: ${JSON.stringify(data)}`)
    if (error !== undefined) assert.equal(error.field, 'path', `${path}: ${JSON.stringify(error)}`)
  }
  // A redirect to a private address is told, and nobody asks there.
  const made = await site.api('SVC_Redirects.create', { from: '/inside', to: 'http://169.254.169.254/latest' })
  if (made.json.success) assert.equal((await look({ path: '/inside' })).data.leads_to, 'http://169.254.169.254/latest')
})

/** Takes a picture, which a busy machine may not begin or finish in time at first. */
async function pictureOf(on: TestSite, input: Readonly<Record<string, unknown>>): Promise<Answer> {
  let answer: Answer | undefined
  await until('the picture is finished', async () => {
    answer = await on.api('SVC_Site.page', { as: 'image', ...input })
    return !/was not finished within|did not start within/.test(answer.text)
  })
  assert.ok(answer)
  return answer
}

test('a site without Chromium says the line to add, and what to ask for instead', async () => {
  const { error } = await look({ path: '/', as: 'image' })
  assert.equal(error.code, 'unsupported')
  assert.match(error.hint, /POSTERN_CHROMIUM=\/usr\/bin\/chromium.*postern-eyes\.socket.*`outline`/)
})

test(
  'a picture shows the page on a phone and on a desktop, light and dark, also with what waits',
  { skip: noBrowser },
  async (t) => {
    const eyes = await openEyes(t)
    await using seeing = await openSite({ env: { POSTERN_CHROMIUM: eyes.place } })
    const body = '# Green\n\n' + 'Word '.repeat(200)
    await seeing.call('SVC_Content.create', { type: 'page', title: 'Green', slug: 'green', body, status: 'published' })
    await seeing.call('SVC_Content.update', { id: '/green', body: 'Changed.', stage: true })
    const shown = new Set<string>()
    // Each picture starts a browser.
    const views = [{ width: 390 }, { width: 1280, scheme: 'dark' }, { width: 1280 }, { width: 1280, staged: true }]
    const looked = views.slice(0, isDeep ? undefined : 2)
    for (const more of looked) {
      const { json } = await pictureOf(seeing, { path: '/green', ...more })
      assert.equal(json.success, true, JSON.stringify(json.error))
      const { image } = json.data
      const about = await sharp(Buffer.from(image.base64, 'base64')).metadata()
      assert.deepEqual([image.mime_type, about.format], ['image/jpeg', 'jpeg'])
      const size = `This picture is ${about.width} × ${about.height} instead of `
      assert.equal(about.width < more.width, json.data.note?.startsWith(size) === true, json.data.note)
      shown.add(image.base64)
    }
    assert.equal(shown.size, looked.length, 'every picture differs')
  },
)

deepTest('a picture above the room of an answer comes smaller, and says so with both sizes', { skip: noBrowser }, async (t) => {
  const eyes = await openEyes(t)
  await using seeing = await openSite({ env: { POSTERN_CHROMIUM: eyes.place } })
  const body = Array.from({ length: 4000 }, (_, at) => `Wd${at}`).join(' ')
  await seeing.call('SVC_Content.create', { type: 'page', title: 'Long', slug: 'all-words', body, status: 'published' })
  const { json } = await pictureOf(seeing, { path: '/all-words' })
  assert.equal(json.success, true, JSON.stringify(json.error))
  const { width, height } = await sharp(Buffer.from(json.data.image.base64, 'base64')).metadata()
  assert.ok(width < 1280)
  assert.equal(
    json.data.note,
    `This picture is ${width} × ${height} instead of 1280 × 900 pixels, because the whole size does not fit into an answer.`,
  )
})

test('a picture ends when its caller disconnects, and the next one is taken', { skip: noBrowser }, async (t) => {
  // Chromium never answers, so that only the end of the call can end it.
  const eyes = await openEyes(t, 'exec sleep 60')
  await using seeing = await openSite({ env: { POSTERN_CHROMIUM: eyes.place } })
  const leaving = new AbortController()
  const body = JSON.stringify({ action: 'SVC_Site.page', path: '/', as: 'image' })
  const headers = { authorization: `Bearer ${seeing.token}`, 'content-type': 'application/json' }
  const asked = fetch(`${seeing.base}/api/`, { method: 'POST', body, headers, signal: leaving.signal })
  const left = assert.rejects(asked, { name: 'AbortError' })
  const pid = async () => (await eyes.started())[0]?.pid
  await until('Chromium runs', async () => Number.isInteger(await pid()) && (await pid()) !== 0)
  const group = (await pid()) ?? 0
  leaving.abort()
  await left
  await until('Chromium has ended', async () => (await runningIn(group)).length === 0)
})

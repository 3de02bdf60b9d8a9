// Links to the whole site in another theme: they show the theme as it was, cost nobody else anything, and end like all links.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'
import { isDeep } from '../deep-run.ts'

let site: TestSite
before(async () => {
  site = await openSite()
  await site.call('SVC_Content.create', { type: 'page', title: 'About', status: 'published', body: 'Who we are: *carpenters*.' })
  await site.call('SVC_Themes.create', { slug: 'mine', from: 'default' })
})
after(() => site[Symbol.asyncDispose]())

const write = (file: string, text: string, id = 'mine') => site.call('SVC_Themes.write', { id, file, text })
const open = async (url: string) => {
  const answer = await fetch(url, { redirect: 'manual' })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}
const older = /This link shows an earlier version/

test('a link shows the files, assets and settings that the theme had, and says when it has changed; `follow` shows the newest', async () => {
  await write('assets/mark.css', 'h1 { color: red }')
  const layout = (await site.call('SVC_Themes.read', { id: 'mine', file: 'layout.liquid' })).text as string
  const withText = (text: string) =>
    write('layout.liquid', layout.replace('</head>', `<link rel="stylesheet" href="{{ 'mark.css' | asset }}" /></head>`) + text)
  await withText('<p>First state</p>')
  const fixed = await site.call('SVC_Themes.preview', { id: 'mine', path: '/about' })
  const following = await site.call('SVC_Themes.preview', { id: 'mine', path: '/about', follow: true })
  const before = await open(fixed.url)
  assert.match(before.text, /First state/)
  assert.doesNotMatch(before.text, older)
  const asset = /href="([^"]*mark\.css)"/.exec(before.text)?.[1] ?? ''
  await withText('<p>Second state</p>')
  await write('assets/mark.css', 'h1 { color: blue }')
  const after = await open(fixed.url)
  assert.ok(after.text.includes('First state') && !after.text.includes('Second state'))
  assert.match(after.text, older)
  assert.match((await open(new URL(asset, site.address).href)).text, /red/)
  const newest = await open(following.url)
  assert.ok(newest.text.includes('Second state') && !older.test(newest.text))
  await site.call('SVC_Content.end-preview', { ids: [fixed.id, following.id] })
  for (const { url } of [fixed, following]) assert.equal((await open(url)).status, 404)
})

test('a link below which nothing can be made any more says so, and an expired one too', async () => {
  await site.call('SVC_Themes.create', { slug: 'gone', from: 'default' })
  const { url } = await site.call('SVC_Themes.preview', { id: 'gone' })
  await site.call('SVC_Themes.delete', { id: 'gone' })
  const answer = await open(url)
  assert.deepEqual([answer.status, answer.headers.get('cache-control')], [404, 'private, no-store'])
})

const ofSeconds = { skip: !isDeep && 'it renders for ten seconds: npm run test:deep' }

test(
  'attack 158: 40 requests for a slow theme make nobody wait for a page, a search or a check of another theme',
  ofSeconds,
  async () => {
    await site.call('SVC_Themes.create', { slug: 'slow', from: 'default' })
    const endless = '{% for a in (1..100000) %}{% for b in (1..100000) %}{% assign c = b | times: a %}{% endfor %}{% endfor %}'
    await write('page.liquid', endless, 'slow')
    const { url } = await site.call('SVC_Themes.preview', { id: 'slow', path: '/about' })
    // The renderers of visitors and of the check have started.
    assert.equal((await site.send('/about', { token: null })).status, 200)
    let pending = 40
    const statuses: number[] = []
    const previews = Array.from({ length: 40 }, async () => {
      statuses.push((await open(url)).status)
      pending--
    })
    const checked = site.call('SVC_Themes.check', { id: 'slow' })
    await site.call('SVC_Content.update', { id: '/about', body: 'Changed, so that the page is made anew.' })
    const page = await site.send('/about', { token: null })
    assert.match(page.text, /made anew/)
    assert.equal((await site.send('/search?q=carpenters', { token: null })).status, 200)
    assert.ok(pending > 0, 'the pages of visitors waited for all previews')
    await Promise.all([...previews, checked])
    assert.deepEqual([...new Set(statuses)].sort(), [422, 503])
  },
)

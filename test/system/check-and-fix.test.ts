// The check of the whole site, and its fixes: links to headings, menus, theme, redirects; one change and one undo.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

type Data = any // oxlint-disable-line no-explicit-any -- JSON, looked at by assertions

let site: TestSite
before(async () => {
  site = await openSite()
  const page = (title: string, more = {}) =>
    site.call('SVC_Content.create', { type: 'page', title, status: 'published', ...more })
  await page('Prices', { body: '## Bread and rolls\n\nCheap.', excerpt: 'Prices.' })
  await page('Contact', { body: '## Where we are\n\nHere.', excerpt: 'Contact.' })
  await page('Order', {
    excerpt: 'Order.',
    body: 'See [prices](/prices#bread-and-role), [here](#by-postin), [there](/prices#bread-and-rolls) and [nowhere](/contac#x).\n\n## By posting\n\nNo.',
  })
  await page('Old shop', { excerpt: 'Shop.' })
  await site.call('SVC_Menus.create', {
    slug: 'footer',
    name: 'Footer',
    items: [
      { label: 'Ours', url: '/contcat' },
      { label: 'Elsewhere', url: 'https://example.org/' },
    ],
  })
  await site.call('SVC_Redirects.create', { from: '/van', to: '/old-shop' })
  await site.call('SVC_Content.delete', { ids: ['/old-shop'] })
})
after(() => site[Symbol.asyncDispose]())

const check = async (more = {}): Promise<readonly Data[]> => (await site.call('SVC_Content.check', { where: {}, ...more })).items
const bodyOf = async (id: string) => (await site.call('SVC_Content.get', { id })).item.body as string
const rule = (items: readonly Data[], name: string) => items.filter((one) => one.rule === name)

test('links to missing headings, in menus and of redirects are found, each with title, path and a similar page', async () => {
  const items = await check()
  assert.deepEqual(
    rule(items, 'fragments').map(({ title, path, place, fix }) => [title, path, place, fix?.arguments.edits[0].replace]),
    [
      ['Order', '/order', 'body: /prices#bread-and-role', '](/prices#bread-and-rolls)'],
      ['Order', '/order', 'body: #by-postin', '](#by-posting)'],
    ],
  )
  const [link] = rule(items, 'links')
  assert.deepEqual([link.place, link.nearest, link.fix], ['body: /contac', '/contact', null])
  const [menu, ...others] = rule(items, 'menus')
  assert.match(menu.place, /^items\.[0-9a-z]{26}: Ours$/)
  assert.deepEqual([menu.kind, menu.title, menu.nearest, others], ['menu', 'Footer', '/contact', []])
  const [redirect] = rule(items, 'redirects')
  assert.deepEqual([redirect.kind, redirect.path, redirect.place], ['redirect', '/van', 'to'])
})

test('a check of chosen entries says nothing of the rest of the site', async () => {
  const { items } = await site.call('SVC_Content.check', { ids: ['/prices'] })
  assert.deepEqual(rule(items, 'menus'), [])
})

test('welcome counts what the last check of the whole site found, for whoever is signed in', async () => {
  const { length } = await check()
  await site.call('SVC_Content.check', { ids: ['/prices'] })
  const reader = (await site.call('SVC_Tokens.create', { name: 'reader', scope: 'read' })).token
  for (const token of [site.token, reader]) {
    const { check_findings: count, next } = await site.call('SVC_API.welcome', {}, { token })
    assert.equal(count, length)
    assert.match(JSON.stringify(next), new RegExp(`the last check found ${length}"`))
  }
  const { json } = await site.api('SVC_API.welcome', {}, { token: null })
  assert.doesNotMatch(JSON.stringify(json), /check/)
})

test('a dry run of fix counts; a wrong number fixes nothing; the right one is one change that one undo takes back', async () => {
  const before = await bodyOf('/order')
  const tried = await site.call('SVC_Content.fix', { where: {}, rules: ['fragments'], dry_run: true })
  assert.deepEqual([tried.fixed, tried.activity_id], [2, null])
  const wrong = await site.api('SVC_Content.fix', { where: {}, rules: ['fragments'], expect: 5 })
  assert.deepEqual([wrong.status, wrong.json.error.expected], [409, 2])
  assert.equal(await bodyOf('/order'), before)
  const done = await site.call('SVC_Content.fix', { where: {}, rules: ['fragments'], expect: 2 })
  assert.deepEqual([done.fixed, done.counts, done.left], [2, { done: 1, left: 0 }, []])
  assert.match(await bodyOf('/order'), /\(\/prices#bread-and-rolls\), \[here\]\(#by-posting\)/)
  await site.call('SVC_Activity.undo', { ids: [done.activity_id] })
  assert.equal(await bodyOf('/order'), before)
})

test('single findings are fixed as check answers them', async () => {
  const [first] = rule(await check(), 'fragments')
  const done = await site.call('SVC_Content.fix', {
    findings: [{ id: first.id, rule: first.rule, place: first.place }],
    expect: 1,
  })
  assert.equal(done.fixed, 1)
  assert.equal(rule(await check(), 'fragments').length, 1)
})

test('a client for drafts only stages the fixes, and a client that asks first for edits proposes them', async () => {
  const drafts = (await site.call('SVC_Tokens.create', { name: 'drafts', scope: 'content', limits: { drafts_only: true } })).token
  const live = await bodyOf('/order')
  const staged = await site.api('SVC_Content.fix', { where: {}, rules: ['fragments'], expect: 1 }, { token: drafts })
  assert.match(staged.json.data?.waits?.says ?? staged.text, /not public yet/)
  assert.equal(await bodyOf('/order'), live)
  const asks = (await site.call('SVC_Tokens.create', { name: 'asks', scope: 'content', limits: { ask: ['SVC_Content.edit'] } }))
    .token
  const pending = await site.api('SVC_Content.fix', { where: {}, rules: ['headings', 'lengths'], expect: 0 }, { token: asks })
  assert.deepEqual([pending.status, pending.json.data?.pending], [202, true], pending.text)
})

// Pages with a password: the way of a visitor through the form, and every other way to the text, which must not give a word of it.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
const password = 'swordfish & chips'

const hush = 'hushword'
const locked = {
  type: 'post',
  title: 'Zanzibar minutes',
  slug: 'club-minutes',
  status: 'published',
  body: `The ${hush} of the club. [To the open page](/open)`,
  excerpt: `An excerpt with ${hush}.`,
  seo: { description: `About ${hush}` },
  terms: ['category/club'],
}

const send = (path: string, headers: Readonly<Record<string, string>> = {}) => site.send(path, { token: null, headers })
const type = (path: string, typed: string, headers: Readonly<Record<string, string>> = {}) =>
  site.send(path, {
    token: null,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ password: typed }).toString(),
  })
/** The cookie that a browser sends after the form. */
const cookieOf = (answer: Awaited<ReturnType<typeof send>>) => ({
  cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
})

before(async () => {
  site = await openSite()
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Club' })
  await site.call('SVC_Content.create', {
    type: 'post',
    title: 'Open',
    status: 'published',
    published_at: '2026-01-02',
    body: `Read [the minutes](/club-minutes).\n\n::: latest {type="post" limit="5"}\n:::`,
    terms: ['category/club'],
  })
  await site.call('SVC_Content.create', { ...locked, published_at: '2026-01-03', password })
  await site.call('SVC_Content.create', { type: 'page', title: 'Members', status: 'published', body: hush, password })
})
after(() => site[Symbol.asyncDispose]())

test('a visitor types the password once, by a form without script, and the cookie opens that page alone', async () => {
  const first = await send('/club-minutes')
  assert.equal(first.status, 403)
  assert.match(first.text, /<form class="search" method="post" action="[^"]*\/club-minutes">/)
  assert.match(first.text, /<h1[^>]*>Zanzibar minutes<\/h1>/)
  assert.match(first.text, /<meta name="robots" content="noindex" ?\/?>/)
  assert.match(first.headers.get('cache-control') ?? '', /no-store/)

  const wrong = await type('/club-minutes', 'swordfish')
  assert.equal(wrong.status, 403)
  assert.match(wrong.text, /role="alert"><strong>This password is not right/)
  assert.equal(wrong.headers.get('set-cookie'), null)

  const right = await type('/club-minutes', password)
  assert.equal(right.status, 303)
  assert.match(right.headers.get('location') ?? '', /\/club-minutes$/)
  const line = right.headers.get('set-cookie') ?? ''
  assert.match(line, /; Path=[^;]*\/club-minutes; /)
  assert.match(line, /HttpOnly; SameSite=Lax/)
  assert.ok(!line.includes('swordfish'))

  const opened = await send('/club-minutes', cookieOf(right))
  assert.equal(opened.status, 200)
  assert.match(opened.text, new RegExp(hush))
  assert.equal(opened.headers.get('cache-control'), 'private, no-store')
  assert.equal(opened.headers.get('x-robots-tag'), 'noindex')
  assert.equal(opened.headers.get('etag'), null)
  assert.doesNotMatch(opened.text, /rel="canonical"/)

  assert.equal((await send('/members', cookieOf(right))).status, 403, 'another page with the same password')
  assert.equal((await send('/club-minutes')).status, 403, 'the next visitor')
  const forged = { cookie: `${cookieOf(right).cookie.slice(0, -3)}AAA` }
  assert.equal((await send('/club-minutes', forged)).status, 403, 'a forged cookie')
})

test('the cookie ends with the password that opened the page, and setting the same password again ends nothing', async () => {
  const cookie = cookieOf(await type('/members', password))
  assert.equal((await site.call('SVC_Content.update', { id: '/members', password })).changed.length, 0)
  assert.equal((await send('/members', cookie)).status, 200)
  await site.call('SVC_Content.update', { id: '/members', password: 'another one' })
  assert.equal((await send('/members', cookie)).status, 403)
  const again = cookieOf(await type('/members', 'another one'))
  assert.equal((await send('/members', again)).status, 200)
  await site.call('SVC_Content.update', { id: '/members', password: null })
  assert.equal((await send('/members')).status, 200)
  assert.ok((await send('/members')).headers.get('cache-control')?.includes('no-cache'))
  await site.call('SVC_Content.update', { id: '/members', password })
  assert.equal((await send('/members', again)).status, 403)
})

test('attack 190: a page that was kept while it was open is not shown after it got a password', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Turned', status: 'published', body: hush })
  const open = await send('/turned')
  assert.equal(open.status, 200)
  await site.call('SVC_Content.update', { id: '/turned', password })
  const etag = open.headers.get('etag') ?? ''
  const now = await send('/turned', { 'if-none-match': etag })
  assert.equal(now.status, 403)
  assert.doesNotMatch(now.text, new RegExp(hush))
})

test('attack 190: guesses are limited for each address, and the right password does not count', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Guessed', status: 'published', body: hush, password })
  for (let n = 0; n < 2; n++) assert.equal((await type('/guessed', password)).status, 303)
  for (let n = 0; n < 10; n++) assert.equal((await type('/guessed', `guess ${n}`)).status, 403)
  const blocked = await type('/guessed', password)
  assert.equal(blocked.status, 429)
  assert.ok(Number(blocked.headers.get('retry-after')) > 0)
  assert.doesNotMatch(blocked.text, new RegExp(hush))
})

/** Each place where a text could be, and whether the title may be there. */
const places: Readonly<Record<string, readonly [path: string, title: boolean]>> = {
  home: ['/', true],
  'list of posts': ['/posts', true],
  'list as Markdown': ['/posts.md', true],
  archive: ['/category/club', true],
  year: ['/2026', true],
  'another page with a list and a link': ['/open', true],
  'another page as Markdown': ['/open.md', false],
  rss: ['/feed.xml', false],
  atom: ['/atom.xml', false],
  'json feed': ['/feed.json', false],
  'feed of a term': ['/category/club/feed.xml', false],
  sitemap: ['/sitemap.xml', false],
  'llms.txt': ['/llms.txt', false],
  search: [`/search?q=${hush}`, false],
  'search for the title': ['/search?q=zanzibar', false],
  'the page itself': ['/club-minutes', true],
  'the page itself as Markdown': ['/club-minutes.md', true],
  'not found': ['/club-minute', false],
}

for (const [what, [path, title]] of Object.entries(places))
  test(`attack 190: nothing of the text is in ${what}`, async () => {
    const { text, status } = await send(path)
    const told = text.replaceAll(/value="[^"]*"|“[^”]*”|<title>[^<]*/g, '').replaceAll(`Search: ${hush}`, '')
    assert.doesNotMatch(told, new RegExp(`${hush}(?!<)`), `${status}`)
    if (!title && what !== 'another page as Markdown') assert.doesNotMatch(told, /Zanzibar|club-minutes(?!\.md)/)
  })

test('attack 190: the machine interface has no such entry for callers without rights, in lists, search and by its id', async () => {
  const { item } = await site.call('SVC_Content.get', { id: '/club-minutes' })
  assert.equal(item.has_password, true)
  assert.equal(item.live_revision, item.revision)
  const nobody = { token: null }
  for (const id of [item.id, '/club-minutes']) assert.equal((await site.api('SVC_Content.get', { id }, nobody)).status, 404)
  for (const format of ['html', 'text', 'outline'])
    assert.equal((await site.api('SVC_Content.get', { id: item.id, format }, nobody)).status, 404)
  const list = await site.call('SVC_Content.list', { count: true }, nobody)
  assert.ok(!JSON.stringify(list).includes('Zanzibar'))
  assert.equal(list.total, list.items.length)
  for (const search of [hush, 'zanzibar']) {
    const found = await site.call('SVC_Content.list', { search, count: true }, nobody)
    assert.deepEqual([found.total, found.items], [0, []])
    const asked = await site.call('SVC_Search.query', { query: search }, nobody)
    assert.ok(!JSON.stringify(asked.items).includes('Zanzibar'))
  }
  assert.equal((await site.api('SVC_Search.similar', { id: item.id }, nobody)).status, 404)
  assert.equal((await site.call('SVC_Content.list', { search: hush })).items.length > 0, true, 'the owner finds it')
  await site.call('SVC_Content.update', { id: '/club-minutes', password: null })
  assert.equal((await site.call('SVC_Content.list', { search: hush }, nobody)).items.length > 0, true, 'without a password')
  await site.call('SVC_Content.update', { id: '/club-minutes', password })
  assert.equal((await site.call('SVC_Content.list', { search: hush }, nobody)).items.length, 0)
})

test('attack 190: neither the password nor its hash is in an answer, a record, a proposal, a log or an export', async () => {
  const secret = 'telltale-secret'
  const made = await site.call('SVC_Content.create', { type: 'page', title: 'Told', status: 'published', password: secret })
  const dry = await site.api('SVC_Content.update', { id: '/told', password: `${secret}-2`, dry_run: true })
  const { item: record } = await site.call('SVC_Activity.get', { id: made.activity_id })
  const revisions = await site.call('SVC_Content.revisions', { id: '/told' })
  const full = await site.call('SVC_Content.get', { id: '/told', revision: 1 })
  const batch = await site.call('SVC_API.batch', {
    calls: [{ action: 'SVC_Content.update', arguments: { id: '/told', password: `${secret}-3` } }],
  })
  const wrong = await site.api('SVC_Content.update', { id: '/told', password: 12 })
  for (const one of [made, dry.json, record, revisions, full, batch, wrong.json])
    assert.doesNotMatch(JSON.stringify(one), /telltale|scrypt\$/)
  assert.deepEqual(
    dry.json.data?.diff?.map(({ field, before: was, after: is }: Record<string, unknown>) => [field, was, is]) ??
      dry.json.diff?.map(({ field, before: was, after: is }: Record<string, unknown>) => [field, was, is]),
    [['has_password', true, true]],
  )
  assert.doesNotMatch(site.log.join('\n'), /telltale/)
  if (process.env['POSTERN_TEST_DATABASE'] === undefined) {
    const folder = join(site.home, 'data')
    for (const name of readdirSync(folder).filter((one) => one.includes('.db') || one.includes('.sqlite')))
      assert.ok(!readFileSync(join(folder, name)).includes('telltale'), name)
  }
})

test('a call with a password does not wait as a proposal, and another one with the same fields does', async () => {
  const { token } = await site.call('SVC_Tokens.create', {
    name: 'asks first',
    scope: 'content',
    limits: { ask: ['SVC_Content.update'] },
  })
  const refused = await site.api('SVC_Content.update', { id: '/members', password: 'mine now' }, { token })
  assert.equal(refused.status, 422)
  assert.match(refused.text, /can't wait for an approval/)
  assert.doesNotMatch(refused.text, /mine now/)
  const waits = await site.api('SVC_Content.update', { id: '/members', excerpt: 'x' }, { token })
  assert.equal(waits.status, 202, waits.text)
})

test('undo restores what was: the password that was removed, and none where there was none', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Undone', status: 'published', body: hush, password })
  const cookie = cookieOf(await type('/undone', password))
  const removed = await site.call('SVC_Content.update', { id: '/undone', password: null })
  assert.equal((await send('/undone')).status, 200)
  await site.call('SVC_Activity.undo', { id: removed.activity_id })
  assert.equal((await send('/undone')).status, 403)
  assert.equal((await send('/undone', cookie)).status, 200)
  // Neither the trash nor an earlier revision opens it.
  await site.call('SVC_Content.update', { id: '/undone', title: 'Undone twice' })
  await site.call('SVC_Content.revert', { id: '/undone', revision: 1 })
  await site.call('SVC_Content.delete', { ids: ['/undone'] })
  await site.call('SVC_Content.restore', { ids: [removed.item.id] })
  await site.call('SVC_Content.publish', { id: removed.item.id })
  assert.equal((await send('/undone')).status, 403)
  const { item: copy } = await site.call('SVC_Content.duplicate', { id: '/undone', slug: 'undone-copy' })
  await site.call('SVC_Content.publish', { id: copy.id })
  assert.equal((await send('/undone-copy')).status, 403)
})

test('a password takes effect at once, beside changes that wait', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Staged', status: 'published', body: 'open' })
  await site.call('SVC_Content.update', { id: '/staged', body: hush, stage: true })
  const both = await site.api('SVC_Content.update', { id: '/staged', body: 'x', password, stage: true })
  assert.equal(both.status, 400)
  assert.match(both.text, /takes effect at once/)
  await site.call('SVC_Content.update', { id: '/staged', password })
  assert.equal((await send('/staged')).status, 403)
  const { item } = await site.call('SVC_Content.get', { id: '/staged' })
  assert.equal(item.staged, true)
  await site.call('SVC_Content.publish', { id: '/staged' })
  assert.equal((await send('/staged')).status, 403)
})

test('the home page can have no password, and a page with one is no home page', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Front', status: 'published', body: 'Welcome' })
  await site.call('SVC_Settings.update', { set: { home: '/front' } })
  const refused = await site.api('SVC_Content.update', { id: '/front', password })
  assert.equal(refused.status, 422)
  const { warnings } = await site.call('SVC_Settings.update', { set: { home: '/members' } })
  assert.match(JSON.stringify(warnings), /not_public/)
  assert.doesNotMatch((await send('/')).text, new RegExp(hush))
  await site.call('SVC_Settings.update', { set: { home: null } })
})

test('a file with a password: put sets it beside the text, and a file that says protected is not published without one', async () => {
  const markdown = `---\ntitle: Filed\nstatus: published\nprotected: true\n---\n\n${hush}\n`
  const lacking = await site.call('SVC_Content.put', { path: '/filed', markdown })
  assert.equal(lacking.item.status, 'draft')
  assert.ok(lacking.warnings.some(({ code }: { code: string }) => code === 'password_missing'))
  assert.equal((await send('/filed')).status, 404)
  const made = await site.call('SVC_Content.put', { path: '/filed', markdown, password })
  assert.equal(made.item.status, 'published')
  assert.equal((await send('/filed')).status, 403)
  const again = await site.call('SVC_Content.put', { path: '/filed', markdown, password })
  assert.deepEqual(again.changed, [])
  assert.deepEqual((await site.call('SVC_Content.put', { path: '/filed', markdown })).changed, [])
  assert.equal((await site.api('SVC_Content.put', { path: '/filed', markdown: `---\npassword: x\n---\n` })).status, 400)
  const table = await site.api('SVC_Content.create-many', {
    type: 'page',
    columns: ['title', 'password'],
    rows: [['A', 'secret']],
  })
  assert.equal(table.status, 400)
})

test('other addresses take no form', async () => {
  assert.equal((await type('/open', password)).status, 405)
  assert.equal((await type('/nothing-here', password)).status, 405)
})

// Preview links: they show what is not public to whoever has the link, for its time, at its address, while its maker keeps access;
// nothing keeps them.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'
import { writeRows } from '../rows.ts'

let site: TestSite
before(async () => {
  site = await openSite({ basePath: '/blog' })
})
after(() => site[Symbol.asyncDispose]())

const open = (url: string, headers: Record<string, string> = {}) => fetch(url, { headers, redirect: 'manual' })
const statusOf = async (url: string): Promise<number> => (await open(url)).status
const linkTo = (input: Record<string, unknown>, token?: string) =>
  site.call('SVC_Content.preview', input, token === undefined ? {} : { token })
const previewOf = async (input: Record<string, unknown>): Promise<string> => (await linkTo(input)).url
const older = /This link shows an earlier version/

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
})

test('a link shows the revision that it was made for, and says when there is a newer one; `follow` shows the newest', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Moving', body: 'First words.' })
  const [fixed, given, following] = [
    await linkTo({ id: '/moving' }),
    await linkTo({ id: '/moving', title: 'Given' }),
    await linkTo({ id: '/moving', follow: true }),
  ]
  const text = async ({ url }: { url: string }) => (await open(url)).text()
  for (const link of [fixed, given, following]) assert.doesNotMatch(await text(link), older)
  await site.call('SVC_Content.update', { id: '/moving', body: 'Second words.' })
  for (const link of [fixed, given]) {
    const shown = await text(link)
    assert.ok(shown.includes('First words.') && !shown.includes('Second words.'))
    assert.match(shown, older)
  }
  const newest = await text(following)
  assert.ok(newest.includes('Second words.') && !older.test(newest))
  for (const input of [
    { id: '/moving', title: 'x' },
    { type: 'page', title: 'x' },
  ])
    assert.equal((await site.api('SVC_Content.preview', { ...input, follow: true })).json.error.field, 'follow')
})

test('a preview that is forged, expired, made for another host or used at another path is no page', async () => {
  const url = await previewOf({ id: '/draft' })
  const at = url.lastIndexOf('/') + 1
  const token = url.slice(at)
  const flipped = token.slice(0, -6) + (token.at(-6) === 'A' ? 'B' : 'A') + token.slice(-5)
  const file = (await linkTo({ id: '/draft' })).url as string
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
    url.replace('/user-content/preview/', '/theme-preview/'),
    url.replace('/user-content/preview/', '/'),
    url.replace('127.0.0.1', 'localhost'),
    file.replace('/preview/', '/PREVIEW/'),
  ]) {
    const status = await statusOf(bad)
    assert.ok(status === 404 || status === 421 || status === 400, `${bad}: ${status}`)
  }
  assert.equal((await open(url, { accept: 'text/markdown' })).status, 200)
  await site.call('SVC_Content.delete', { ids: ['/draft'] })
  assert.equal(await statusOf(url), 404)
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
  const dry = await site.call('SVC_Content.preview', { id: '/live', dry_run: true })
  assert.equal(dry.url, undefined)
})

const tokenOf = async (scope: string, limits = {}) => site.call('SVC_Tokens.create', { name: `${scope} token`, scope, limits })

test('attack 156: no token of scope `read` makes a link that strangers can open, and a limited one only to what it may write', async () => {
  const { token } = await tokenOf('read')
  for (const call of ['SVC_Content.preview', 'SVC_Themes.preview'])
    assert.equal((await site.api(call, { id: '/live' }, { token })).json.error.code, 'unknown_action')
  const posts = (await tokenOf('content', { types: ['post'] })).token
  assert.equal((await site.api('SVC_Content.preview', { id: '/live' }, { token: posts })).json.error.code, 'refused')
  await linkTo({ type: 'post', title: 'Mine' }, posts)
  await site.call('SVC_Content.create', { type: 'post', title: 'Of the owner', body: 'Hush.' })
  const ben = await site.call('SVC_Accounts.create', { email: 'ben@example.org', name: 'Ben', role: 'contributor' })
  const bens = (await site.call('SVC_Tokens.create', { name: 'of Ben', scope: 'content', account: ben.item.id })).token
  for (const given of [{}, { author: ben.item.id }]) {
    const { error } = (await site.api('SVC_Content.preview', { id: '/of-the-owner', ...given }, { token: bens })).json
    assert.equal(error.code, 'refused', JSON.stringify(given))
  }
  const drafts = (await tokenOf('content', { drafts_only: true })).token
  assert.equal((await site.api('SVC_Themes.preview', { id: 'default' }, { token: drafts })).json.error.code, 'refused')
})

test('attack 156: a link of an entry or a theme ends with its token, with its account, and by hand', async () => {
  await site.call('SVC_Content.create', { type: 'page', title: 'Secret plan', body: 'Hush.' })
  const both = async (token: string) => [
    await linkTo({ id: '/secret-plan' }, token),
    await site.call('SVC_Themes.preview', { id: 'default' }, { token }),
  ]
  const assertAll = async (links: readonly { url: string }[], status: number) => {
    for (const { url } of links) assert.equal(await statusOf(url), status, url)
  }
  const made = await tokenOf('content')
  const ofToken = await both(made.token)
  await assertAll(ofToken, 200)
  await site.call('SVC_Tokens.revoke', { ids: [made.item.id], expect: 1 })
  await assertAll(ofToken, 404)

  const account = await site.call('SVC_Accounts.create', { email: 'ann@example.org', name: 'Ann', role: 'content' })
  const anns = await site.call('SVC_Tokens.create', { name: 'of Ann', scope: 'content', account: account.item.id })
  const ofAccount = await both(anns.token)
  await assertAll(ofAccount, 200)
  await site.call('SVC_Accounts.update', { id: account.item.id, disabled: true })
  await assertAll(ofAccount, 404)
  await site.call('SVC_Accounts.update', { id: account.item.id, disabled: false })
  await assertAll(ofAccount, 200)
  await site.call('SVC_Accounts.update', { id: account.item.id, role: 'read' })
  await assertAll(ofAccount, 404)

  const byHand = await both(site.token)
  await assertAll(byHand, 200)
  const { items } = await site.call('SVC_Content.previews', { limit: 100 })
  const ids = byHand.map(({ id }) => id)
  for (const id of ids) assert.ok(items.some((item: { id: string; works: boolean }) => item.id === id && item.works))
  assert.ok(items.some(({ id, works }: { id: string; works: boolean }) => id === ofToken[0].id && !works))
  await site.call('SVC_Content.end-preview', { ids })
  await assertAll(byHand, 404)
})

test('attack 156: each link is recorded, without its address, and others see and end only their own', async () => {
  const { token } = await tokenOf('content')
  const { id, url, activity_id: record } = await linkTo({ id: '/live', title: 'Recorded' }, token)
  const { item } = await site.call('SVC_Activity.get', { id: record })
  assert.equal(item.call, 'SVC_Content.preview')
  assert.ok(!JSON.stringify(item).includes(url.slice(-30)))
  const { token: other } = await tokenOf('content')
  assert.deepEqual((await site.call('SVC_Content.previews', {}, { token: other })).items, [])
  assert.equal((await site.api('SVC_Content.end-preview', { id }, { token: other })).json.error.code, 'not_found')
  const [own] = (await site.call('SVC_Content.previews', {}, { token })).items
  assert.deepEqual([own.id, own.title, own.token, own.works], [id, 'Recorded', 'content token', true])
  const ended = await site.call('SVC_Content.end-preview', { id }, { token })
  assert.deepEqual(ended.done, [id])
  assert.equal((await site.call('SVC_Activity.get', { id: ended.activity_id })).item.call, 'SVC_Content.end-preview')
})

test('attack 159: links used from outside the addresses of their token, or after its limits were tightened, are refused', async () => {
  const local = { addresses: ['127.0.0.0/8'] }
  const makers = {
    preview: async (token: string) => (await linkTo({ id: '/live' }, token)).url,
    theme: async (token: string) => (await site.call('SVC_Themes.preview', { id: 'default' }, { token })).url,
    file: async (token: string) => (await site.call('SVC_Media.get', { id: '/media/note.txt' }, { token })).item.original_url,
    upload: async (token: string) => (await site.call('SVC_Media.begin-upload', { filename: 'a.txt', bytes: 1 }, { token })).url,
  }
  await site.call('SVC_Media.upload', { filename: 'note.txt', text: 'A note.' })
  const use = (kind: string, url: string, from?: string) =>
    fetch(url, {
      method: kind === 'upload' ? 'PUT' : 'GET',
      ...(kind === 'upload' && { body: 'x' }),
      headers: from === undefined ? {} : { 'x-forwarded-for': from },
    }).then(({ status }) => status)
  for (const [kind, make] of Object.entries(makers)) {
    const { item, token } = await tokenOf('content', local)
    const url = await make(token)
    // The test's own client is the trusted proxy of the loopback address.
    assert.equal(await use(kind, url, '203.0.113.7'), 404, `${kind} from elsewhere`)
    if (kind !== 'upload') assert.equal(await use(kind, url), 200, `${kind} from here`)
    await site.call('SVC_Tokens.update', { id: item.id, limits: { ...local, per_minute: 100 } })
    assert.equal(await use(kind, url), 404, `${kind} after tighter limits`)
  }
})

test('attack 157: one caller has at most so many links, and what expired goes in slices that no write waits for', async () => {
  const { item, token } = await tokenOf('content')
  await linkTo({ id: '/live' }, token)
  await writeRows(
    site.home,
    `insert into preview (id, entry, bytes, expires_at, owner, maker, created_at)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < 999)
     select 'many ' || i, '', 0, ${Date.now() + 3_600_000}, 'token:${item.id}', '{}', 1 from n`,
    [],
  )
  const refused = await site.api('SVC_Content.preview', { id: '/live' }, { token })
  assert.deepEqual([refused.status, refused.json.error.code], [422, 'refused'])
  assert.match(refused.json.error.hint, /SVC_Content\.end-preview/)
  await writeRows(site.home, `update preview set expires_at = 1 where id like 'many %'`, [])
  await linkTo({ id: '/live' }, token)
})

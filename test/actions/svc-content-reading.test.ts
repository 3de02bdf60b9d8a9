// SVC_Content through dispatch, on a real database: who finds what, in which form, and how fresh.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dispatch } from '../../src/actions/call/dispatch.ts'
import { nobody, openContentSite, start, tokenOf } from './content-site.ts'
import { until } from '../until.ts'

const reader = tokenOf('read')
const writer = tokenOf('content')

test('attack 89: anonymous callers find public entries only; the rest is as if it were not there', async () => {
  await using site = await openContentSite()
  const ids: Record<string, string> = {}
  for (const status of ['draft', 'private', 'published']) {
    ids[status] = (await site.ok('create', { type: 'post', title: status, status, body: 'word' })).item.id
  }
  ids['scheduled'] = (
    await site.ok('create', { type: 'post', title: 'scheduled', status: 'published', published_at: '2027-01-01' })
  ).item.id
  ids['trash'] = (await site.ok('create', { type: 'post', title: 'trash', status: 'published' })).item.id
  await site.ok('delete', { ids: [ids['trash']] })
  const missing = await site.fails('get', { id: '/missing' }, nobody)
  for (const status of ['draft', 'private', 'scheduled', 'trash']) {
    for (const name of [ids[status], `/${status}`]) {
      await site.run('get', { id: name }, reader) // a warm cache changes nothing
      for (const more of [{}, { format: 'html' }, { section: 'x' }, { revision: 1 }]) {
        const failure = await site.fails('get', { id: name, ...more }, nobody)
        assert.deepEqual({ ...failure, id: '', message: '' }, { ...missing, id: '', message: '' })
        assert.equal(failure.message, missing.message.replace('/missing', name ?? ''))
      }
    }
  }
  assert.equal((await site.ok('get', { id: '/published' }, nobody)).item.id, ids['published'])
  assert.deepEqual(
    (await site.ok('list', { count: true, search: 'word' }, nobody)).items.map(({ slug }: { slug: string }) => slug),
    ['published'],
  )
  assert.deepEqual((await site.ok('list', { where: { status: 'draft' }, count: true }, nobody)).total, 0)
  assert.equal((await site.ok('list', { count: true }, reader)).total, 4)
  assert.equal((await site.ok('list', { where: { status: { in: ['trash'] } }, count: true }, reader)).total, 1)
  assert.equal((await site.ok('list', { where: { any: [{ status: 'trash' }] }, count: true }, nobody)).total, 0)
})

test('get answers the whole entry, and the same text again until it changes', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'About', body: '# One\n\ntext', status: 'published' })
  const read = async () => {
    const outcome = await site.run('get', { id: '/about' }, nobody)
    assert(outcome.ok)
    return outcome.data
  }
  const first = await read()
  const whole = {
    ...item,
    excerpt: null,
    author: 'account-1',
    parent: null,
    position: 0,
    seo: { title: null, description: null, canonical: null, noindex: false, image: null },
    locale: null,
    terms: [],
    translation_of: null,
    fields: {},
    cover: null,
    has_password: false,
    comments: null,
    live_revision: 1,
    staged: false,
    body: '# One\n\ntext',
    translations: [],
  }
  assert.deepEqual(first.parse(), { item: whole })
  assert.equal(await read(), first)
  await site.ok('update', { id: '/about', title: 'About us' })
  assert.equal(((await read()).parse() as { item: { title: string } }).item.title, 'About us')
})

test('get answers formats, sections and earlier revisions', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About', body: '# One\n\na *b*\n\n# Two\n\nc', status: 'published' })
  await site.ok('update', { id: '/about', body: 'new' })
  const earlier = { id: '/about', revision: 1 }
  assert.equal((await site.ok('get', earlier, reader)).item.body, '# One\n\na *b*\n\n# Two\n\nc')
  assert.equal((await site.ok('get', { ...earlier, section: 'two' }, reader)).item.body, '# Two\n\nc')
  assert.deepEqual((await site.ok('get', { ...earlier, format: 'outline' }, reader)).item.outline, [
    { id: 'one', level: 1, title: 'One' },
    { id: 'two', level: 1, title: 'Two' },
  ])
  const { html, body } = (await site.ok('get', { ...earlier, section: 'one', format: 'html' }, reader)).item
  assert.deepEqual([html, body], ['<h1 id="h-one"><a href="#h-one">One</a></h1>\n<p>a <em>b</em></p>\n', undefined])
  assert.equal((await site.ok('get', { id: '/about', format: 'text' }, nobody)).item.text, 'new')
  assert.equal((await site.fails('get', { id: '/about', section: 'three' })).code, 'not_found')
  assert.equal((await site.fails('get', { id: '/about', revision: 9 })).code, 'not_found')
  assert.deepEqual(await site.fails('get', earlier, nobody), await site.fails('get', { id: '/about', revision: 9 }, nobody))
})

test('a text that is too long for an answer is told by its outline, section by section', async () => {
  await using site = await openContentSite()
  const body = `# One\n\n${'long '.repeat(20_000)}\n\n# Two\n\nshort`
  await site.ok('create', { type: 'page', title: 'Long', body })
  const whole = (await site.ok('get', { id: '/long' })).item
  assert.deepEqual([whole.truncated, whole.body, whole.outline.length], [true, undefined, 2])
  assert.equal((await site.ok('get', { id: '/long', section: 'two' })).item.body, '# Two\n\nshort')
  assert.equal((await site.ok('get', { id: '/long', format: 'text' })).item.truncated, true)
  assert.equal((await site.fails('get', { id: '/long', select: ['body'] })).code, 'too_large')
  assert.deepEqual(await site.ok('get', { id: '/long', select: ['title'] }), { item: { title: 'Long' } })
})

test('an entry is gone from the public the moment it expires, cached or not', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Sale', status: 'published', unpublish_at: '2026-11-21T10:00:00Z' })
  assert.equal((await site.ok('get', { id: '/sale' }, nobody)).item.live_revision, 1)
  site.clock.at = start + 60 * 60 * 1000
  assert.equal((await site.fails('get', { id: '/sale' }, nobody)).code, 'not_found')
  assert.equal((await site.ok('list', { count: true }, nobody)).total, 0)
  assert.equal((await site.ok('get', { id: '/sale' }, reader)).item.live_revision, null)
})

test('attack 90: no hidden field can be filtered or sorted by', async () => {
  await using site = await openContentSite()
  for (const field of ['password_hash', 'author_id', 'seo', 'account.email']) {
    assert.equal((await site.fails('list', { where: { [field]: 'x' } }, nobody)).code, 'invalid')
    assert.equal((await site.fails('list', { sort: field }, nobody)).code, 'invalid')
  }
})

test('attack 91: quotes in names, slugs and sorts are values, never statements', async () => {
  await using site = await openContentSite()
  const quote = `'"; drop table entry; --`
  assert.equal((await site.fails('get', { id: quote })).code, 'not_found')
  assert.equal((await site.fails('list', { sort: quote })).code, 'invalid')
  assert.equal((await site.fails('create', { type: 'page', title: 'x', slug: quote })).code, 'invalid')
  assert.equal((await site.ok('create', { type: 'page', title: quote })).item.title, quote)
})

test('the path / names whichever entry is the home page', async () => {
  await using site = await openContentSite({ settings: { home: '/about' } })
  await site.ok('create', { type: 'page', title: 'About', status: 'published' })
  assert.equal((await site.ok('get', { id: '/' }, nobody)).item.path, '/about')
  assert.equal((await site.ok('update', { id: '/', title: 'Home' })).item.path, '/about')
  assert.equal((await site.ok('put', { path: '/', markdown: 'x' })).created, false)
})

test('a site without a home page has nothing at /', async () => {
  await using site = await openContentSite()
  assert.equal((await site.fails('get', { id: '/' })).code, 'not_found')
  assert.deepEqual((await site.fails('put', { path: '/', markdown: '# x' })).field, 'path')
})

test('in a batch a read sees what the calls before it wrote', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About' })
  await site.ok('get', { id: '/about' })
  const calls = [
    { action: 'SVC_Content.update', arguments: { id: '/about', title: 'Changed' } },
    { action: 'SVC_Content.get', arguments: { id: '/about' } },
    { action: 'SVC_Content.create', arguments: { type: 'page', title: 'Below', parent: '$0.item.id' } },
  ]
  const { results } = await site.ok('SVC_API.batch', { calls })
  assert.deepEqual([results[1].item.title, results[2].item.path], ['Changed', '/about/below'])
})

test('select brings the other fields into lists and write answers', async () => {
  await using site = await openContentSite()
  assert.deepEqual(
    (await site.ok('create', { type: 'page', title: 'About', body: 'b', seo: { title: 't' }, select: ['body', 'seo.title'] }))
      .item,
    { body: 'b', seo: { title: 't' } },
  )
  assert.deepEqual((await site.ok('list', { select: ['title', 'body'] })).items, [{ title: 'About', body: 'b' }])
  assert.deepEqual((await site.ok('list', { select: ['url'] })).items, [{ url: 'https://example.org/about' }])
})

test('what another process changes is seen here a moment later', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About', status: 'published' })
  await site.ok('get', { id: '/about' }, nobody)
  const other = await site.other()
  await dispatch(other, writer, { name: 'SVC_Content.unpublish', input: { id: '/about' }, options: {} }, { origin: '' })
  await until('it is gone here', async () => !(await site.run('get', { id: '/about' }, nobody)).ok)
})

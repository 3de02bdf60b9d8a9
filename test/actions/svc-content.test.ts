// SVC_Content through dispatch, on a real database: what each action does, and what it refuses.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentActions } from '../../src/actions/classes/svc-content/index.ts'
import { fits } from '../../src/actions/validate.ts'
import { nobody, openContentSite, start, tokenOf } from './content-site.ts'

const reader = tokenOf('read')
const writer = tokenOf('content')

test('create answers the lean entry, a draft with a slug from its title', async () => {
  await using site = await openContentSite()
  const { item, changed, live, warnings, activity_id } = await site.ok('create', { type: 'post', title: 'Ünder the Bridge!' })
  assert.deepEqual([changed, live, warnings], [[], false, []])
  assert.match(activity_id, /^[0-9a-z]{26}$/)
  assert.deepEqual(item, {
    id: item.id,
    type: 'post',
    title: 'Ünder the Bridge!',
    slug: 'under-the-bridge',
    path: '/under-the-bridge',
    url: 'https://example.org/under-the-bridge',
    status: 'draft',
    published_at: null,
    unpublish_at: null,
    created_at: '2026-11-21T09:00:00.000Z',
    updated_at: '2026-11-21T09:00:00.000Z',
    revision: 1,
  })
})

test('a slug from the title is numbered where it is taken or reserved, and the answer says so', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Hello' })
  for (const [title, slug] of [
    ['Hello', 'hello-2'],
    ['Hello', 'hello-3'],
    ['Admin', 'admin-2'],
    ['???', 'page'],
  ] as const) {
    const { item, warnings } = await site.ok('create', { type: 'page', title })
    assert.equal(item.slug, slug)
    assert.deepEqual(
      warnings.map(({ code }: { code: string }) => code),
      slug === 'page' ? [] : ['slug_adjusted'],
    )
  }
})

test('a given slug that is taken is refused with by what, and a free one', async () => {
  await using site = await openContentSite()
  const { item } = await site.ok('create', { type: 'page', title: 'Hello' })
  const failure = await site.fails('create', { type: 'post', title: 'Other', slug: 'hello' })
  assert.deepEqual(
    [failure.code, failure.field, failure.free, failure.by],
    ['exists', 'slug', 'hello-2', { id: item.id, title: 'Hello', path: '/hello' }],
  )
})

for (const slug of ['mcp', 'MCP', '.Well-Known', 'ｍｃｐ', 'oauth/x', 'a/../admin', 'Robots.txt', 'API']) {
  test(`attack 99: the slug ${slug} is refused from 0.10 on`, async () => {
    await using site = await openContentSite()
    const failure = await site.fails('create', { type: 'page', title: 'x', slug })
    assert.deepEqual([failure.code, failure.rule], ['refused', 'reserved slug'])
    const { item } = await site.ok('create', { type: 'page', title: 'x' })
    assert.equal((await site.fails('update', { id: item.id, slug })).rule, 'reserved slug')
    assert.equal((await site.fails('put', { path: `/${slug}`, markdown: '# x' })).code === 'refused', true)
  })
}

test('attack 99: release 0.9 has no guard', async () => {
  await using site = await openContentSite({ release: '0.9' })
  assert.equal((await site.ok('create', { type: 'page', title: 'x', slug: 'mcp' })).item.path, '/mcp')
})

test('below a page nothing is reserved, until it moves to the top', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Docs' })
  assert.equal((await site.ok('create', { type: 'page', title: 'API', slug: 'api', parent: '/docs' })).item.path, '/docs/api')
  assert.equal((await site.fails('update', { id: '/docs/api', parent: null })).rule, 'reserved slug')
})

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
  assert.equal((await site.ok('get', { id: '/published' }, nobody)).id, ids['published'])
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
  assert.deepEqual(first.parse(), {
    ...item,
    excerpt: null,
    author: 'account-1',
    parent: null,
    position: 0,
    seo: { title: null, description: null, canonical: null, noindex: false },
    locale: null,
    live_revision: 1,
    body: '# One\n\ntext',
  })
  assert.equal(await read(), first)
  await site.ok('update', { id: '/about', title: 'About us' })
  assert.equal(((await read()).parse() as { title: string }).title, 'About us')
})

test('get answers formats, sections and earlier revisions', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About', body: '# One\n\na *b*\n\n# Two\n\nc', status: 'published' })
  await site.ok('update', { id: '/about', body: 'new' })
  const earlier = { id: '/about', revision: 1 }
  assert.equal((await site.ok('get', earlier, reader)).body, '# One\n\na *b*\n\n# Two\n\nc')
  assert.equal((await site.ok('get', { ...earlier, section: 'two' }, reader)).body, '# Two\n\nc')
  assert.deepEqual((await site.ok('get', { ...earlier, format: 'outline' }, reader)).outline, [
    { id: 'one', level: 1, title: 'One' },
    { id: 'two', level: 1, title: 'Two' },
  ])
  const { html, body } = await site.ok('get', { ...earlier, section: 'one', format: 'html' }, reader)
  assert.deepEqual([html, body], ['<h1 id="h-one">One</h1>\n<p>a <em>b</em></p>\n', undefined])
  assert.equal((await site.ok('get', { id: '/about', format: 'text' }, nobody)).text, 'new')
  assert.equal((await site.fails('get', { id: '/about', section: 'three' })).code, 'not_found')
  assert.equal((await site.fails('get', { id: '/about', revision: 9 })).code, 'not_found')
  assert.deepEqual(await site.fails('get', earlier, nobody), await site.fails('get', { id: '/about', revision: 9 }, nobody))
})

test('a text that is too long for an answer is told by its outline, section by section', async () => {
  await using site = await openContentSite()
  const body = `# One\n\n${'long '.repeat(20_000)}\n\n# Two\n\nshort`
  await site.ok('create', { type: 'page', title: 'Long', body })
  const whole = await site.ok('get', { id: '/long' })
  assert.deepEqual([whole.truncated, whole.body, whole.outline.length], [true, undefined, 2])
  assert.equal((await site.ok('get', { id: '/long', section: 'two' })).body, '# Two\n\nshort')
  assert.equal((await site.ok('get', { id: '/long', format: 'text' })).truncated, true)
  assert.equal((await site.fails('get', { id: '/long', select: ['body'] })).code, 'too_large')
  assert.deepEqual(await site.ok('get', { id: '/long', select: ['title'] }), { title: 'Long' })
})

test('a page takes what stands below it along, and old paths lead to the new ones', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'A', status: 'published' })
  await site.ok('create', { type: 'page', title: 'B', parent: '/a', status: 'published' })
  await site.ok('create', { type: 'page', title: 'C', parent: '/a/b' })
  const { item, changed } = await site.ok('update', { id: '/a', slug: 'x' })
  assert.deepEqual([item.path, changed], ['/x', ['slug', 'path']])
  const moved = await site.ok('get', { id: '/a/b' }, nobody)
  assert.deepEqual([moved.path, moved.moved_to], ['/x/b', '/x/b'])
  assert.equal((await site.fails('get', { id: '/a/b/c' }, nobody)).code, 'not_found')
  assert.equal((await site.ok('get', { id: '/a/b/c' }, reader)).moved_to, '/x/b/c')
  assert.match((await site.fails('update', { id: '/a', title: 'y' })).hint ?? '', /\/x/)
  assert.equal((await site.fails('update', { id: '/x', parent: '/x/b/c' })).rule, 'no page below itself')
  assert.equal((await site.ok('update', { id: '/x', slug: 'a' })).item.path, '/a')
  assert.equal((await site.ok('get', { id: '/a' }, nobody)).moved_to, undefined)
  assert.equal((await site.ok('get', { id: '/x/b' }, nobody)).moved_to, '/a/b')
})

test('a parent must be a page, and a post has none', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Post' })
  await site.ok('create', { type: 'page', title: 'Page' })
  assert.equal((await site.fails('create', { type: 'page', title: 'x', parent: '/post' })).field, 'parent')
  assert.equal((await site.fails('create', { type: 'page', title: 'x', parent: '/missing' })).field, 'parent')
  assert.equal((await site.fails('create', { type: 'post', title: 'x', parent: '/page' })).field, 'parent')
  await site.ok('create', { type: 'page', title: 'Below', parent: '/page' })
  assert.equal((await site.fails('update', { id: '/page', type: 'post' })).code, 'in_use')
  assert.equal((await site.ok('update', { id: '/page/below', type: 'post' })).item.path, '/below')
})

test('a change that changes nothing leaves no revision and no activity', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About', seo: { title: 'x', noindex: null } })
  const { item, changed, activity_id } = await site.ok('update', {
    id: '/about',
    title: 'About',
    seo: { noindex: false },
    body: '',
  })
  assert.deepEqual([item.revision, changed, activity_id], [1, [], null])
})

test('null clears, an omitted field stays, and an unknown one is refused', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About', excerpt: 'e', seo: { title: 't', description: 'd' }, locale: 'pt-br' })
  await site.ok('update', { id: '/about', excerpt: null, seo: { title: null } })
  const { excerpt, seo, locale } = await site.ok('get', { id: '/about' })
  assert.deepEqual([excerpt, seo, locale], [null, { title: null, description: 'd', canonical: null, noindex: false }, 'pt-BR'])
  for (const field of ['stage', 'fields', 'terms', 'cover', 'template', 'translation_of', 'comments', 'staged', 'path', 'id2']) {
    const failure = await site.fails('update', { id: '/about', [field]: {} })
    assert.deepEqual([failure.code, failure.field], ['invalid', field])
  }
})

test('texts that can not be kept are refused, and each says its field', async () => {
  await using site = await openContentSite()
  const rows = [
    [{ title: 'a\0b' }, 'invalid', 'title'],
    [{ title: ' ' }, 'invalid', 'title'],
    [{ title: 'x'.repeat(301) }, 'invalid', 'title'],
    [{ slug: 'x'.repeat(101) }, 'invalid', 'slug'],
    [{ slug: 'About Us' }, 'invalid', 'slug'],
    [{ body: 'x'.repeat(2 * 1024 ** 2 + 1) }, 'too_large', 'body'],
    [{ seo: { canonical: 'javascript:alert(1)' } }, 'invalid', 'seo.canonical'],
    [{ locale: 'not a tag' }, 'invalid', 'locale'],
    [{ published_at: 'soon' }, 'invalid', 'published_at'],
    [{ author: 'who@example.org' }, 'invalid', 'author'],
  ] as const
  for (const [fields, code, field] of rows) {
    const failure = await site.fails('create', { type: 'page', title: 'x', ...fields })
    assert.deepEqual([failure.code, failure.field], [code, field])
  }
  assert.equal((await site.ok('create', { type: 'page', title: 'a\ud800b' })).item.title, 'a\ufffdb')
})

test('publishing dates an entry, a time ahead schedules it, and unpublishing ends that', async () => {
  await using site = await openContentSite({ settings: { time_zone: 'Europe/Berlin' } })
  await site.ok('create', { type: 'post', title: 'Hello' })
  const state = ({ item, live }: { item: Record<string, unknown>; live: boolean }) => [item['status'], item['published_at'], live]
  assert.deepEqual(state(await site.ok('publish', { id: '/hello' })), ['published', '2026-11-21T09:00:00.000Z', true])
  assert.deepEqual((await site.ok('publish', { id: '/hello' })).changed, [])
  assert.deepEqual(state(await site.ok('unpublish', { id: '/hello' })), ['draft', '2026-11-21T09:00:00.000Z', false])
  assert.deepEqual(state(await site.ok('publish', { id: '/hello', at: '2026-12-01' })), [
    'scheduled',
    '2026-11-30T23:00:00.000Z',
    false,
  ])
  assert.deepEqual(state(await site.ok('unpublish', { id: '/hello', status: 'private' })), ['private', null, false])
  assert.deepEqual(state(await site.ok('publish', { id: '/hello', at: '2026-01-02T03:04Z' })), [
    'published',
    '2026-01-02T03:04:00.000Z',
    true,
  ])
})

test('an entry is gone from the public the moment it expires, cached or not', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Sale', status: 'published', unpublish_at: '2026-11-21T10:00:00Z' })
  assert.equal((await site.ok('get', { id: '/sale' }, nobody)).live_revision, 1)
  site.clock.at = start + 60 * 60 * 1000
  assert.equal((await site.fails('get', { id: '/sale' }, nobody)).code, 'not_found')
  assert.equal((await site.ok('list', { count: true }, nobody)).total, 0)
  assert.equal((await site.ok('get', { id: '/sale' }, reader)).live_revision, null)
})

test('edit makes exact changes, all or none, and shows them', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Contact', body: 'Call 555 0100.\n', status: 'published' })
  const { item, changed, live, diff } = await site.ok('edit', {
    id: '/contact',
    edits: [{ find: '555 0100', replace: '555 0199' }, { append: 'Bye $&.' }],
  })
  assert.deepEqual([item.revision, changed, live], [2, ['body'], true])
  assert.deepEqual(diff, [{ id: item.id, field: 'body', before: 'Call 555 0100.\n', after: 'Call 555 0199.\n\nBye $&.' }])
  const failure = await site.fails('edit', { id: '/contact', edits: [{ prepend: 'x' }, { find: 'call 555', replace: '' }] })
  assert.deepEqual([failure.code, failure.found, failure.field], ['conflict', 0, 'edits.1.find'])
  assert.equal((await site.ok('get', { id: '/contact' })).revision, 2)
  const dry = await site.ok('edit', { id: '/contact', edits: [{ find: '199', replace: '198' }], dry_run: true })
  assert.deepEqual([dry.activity_id, dry.diff.length], [null, 1])
  assert.equal((await site.ok('get', { id: '/contact' })).revision, 2)
})

test('put makes the entry at a path what the file says, and the same file twice changes nothing', async () => {
  await using site = await openContentSite()
  const markdown = '---\ntitle: About\nstatus: published\nseo:\n  description: d\n---\n\n# Hi\n'
  const first = await site.ok('put', { path: '/about', markdown })
  assert.deepEqual([first.created, first.item.type, first.live], [true, 'page', true])
  site.clock.at += 1000
  const again = await site.ok('put', { path: '/about/', markdown })
  assert.deepEqual([again.created, again.changed, again.activity_id], [false, [], null])
  const kept = await site.ok('put', { path: '/about', markdown: '# Ho\n' })
  assert.deepEqual([kept.changed, kept.item.title, kept.item.status], [['body'], 'About', 'published'])
  assert.equal((await site.ok('put', { path: '/about/team', markdown: '# Our *team*\n' })).item.title, 'Our team')
  assert.equal((await site.fails('put', { path: '/no/where', markdown: '# x' })).field, 'path')
  assert.equal((await site.fails('put', { path: '/new', markdown: 'x' })).field, 'markdown')
  assert.equal((await site.fails('put', { path: '/new', markdown: '---\ntitel: x\n---\n' })).field, 'titel')
})

test('a scheduled file may be put again after its time has come', async () => {
  await using site = await openContentSite()
  const markdown = '---\ntype: post\ntitle: Fair\nstatus: scheduled\npublished_at: 2026-11-21T10:00:00Z\n---\n\nSoon.\n'
  assert.equal((await site.ok('put', { path: '/fair', markdown })).item.status, 'scheduled')
  site.clock.at = start + 2 * 60 * 60 * 1000
  await site.ok('publish', { id: '/fair' })
  assert.deepEqual((await site.ok('put', { path: '/fair', markdown })).changed, [])
})

test('the trash keeps entries, frees their paths, and gives them back as drafts', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'A', status: 'published' })
  await site.ok('create', { type: 'page', title: 'B', parent: '/a', status: 'published' })
  const failure = await site.fails('delete', { ids: ['/a'] })
  assert.deepEqual([failure.code, (failure.by as { path: string }[])[0]?.path], ['in_use', '/a/b'])
  const { done } = await site.ok('delete', { ids: ['/a', '/a'], with_children: true })
  assert.equal(done.length, 2)
  assert.deepEqual((await site.ok('delete', { ids: [done[0]] })).unchanged, [done[0]])
  assert.equal((await site.fails('update', { id: done[0], title: 'x' })).code, 'refused')
  await site.ok('create', { type: 'post', title: 'A' })
  const restored = await site.ok('restore', { ids: [done[0]], with_children: true })
  assert.deepEqual(
    restored.warnings.map(({ code }: { code: string }) => code),
    ['slug_adjusted'],
  )
  const { items } = await site.ok('list', { sort: 'title', type: 'page' })
  assert.deepEqual(
    items.map(({ path, status }: { path: string; status: string }) => [path, status]),
    [
      ['/a-2', 'draft'],
      ['/a-2/b', 'draft'],
    ],
  )
})

test('restore takes the path that an entry had', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'post', title: 'Hello', status: 'published' })
  await site.ok('delete', { ids: ['/hello'] })
  await site.ok('restore', { ids: ['/hello'] })
  assert.deepEqual((await site.ok('get', { id: '/hello' })).status, 'draft')
})

test('purge destroys what is in the trash, when the number is right', async () => {
  await using site = await openContentSite()
  const ids = []
  for (const title of ['A', 'B']) ids.push((await site.ok('create', { type: 'page', title })).item.id)
  assert.equal((await site.fails('purge', { ids, expect: 2 })).code, 'refused')
  await site.ok('delete', { ids })
  const failure = await site.fails('purge', { where: {}, expect: 1 })
  assert.deepEqual([failure.code, failure.found], ['conflict', 2])
  assert.equal((await site.fails('purge', { expect: 1 })).code, 'invalid')
  assert.equal((await site.run('purge', { ids, expect: 2 }, writer)).ok, false)
  assert.deepEqual((await site.ok('purge', { where: { title: 'A' }, expect: 1 })).done, [ids[0]])
  assert.deepEqual((await site.ok('purge', { ids: [ids[1]], expect: 1 })).done, [ids[1]])
  const { read } = site.services.store
  for (const table of ['entry', 'entry_revision', 'former_path'] as const) {
    assert.deepEqual(await read.selectFrom(table).selectAll().execute(), [])
  }
})

test('revisions are listed newest first, and revert brings the text of one back', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'One', slug: 'page', body: 'first' })
  await site.ok('update', { id: '/page', title: 'Two', body: 'second', slug: 'moved' })
  await site.ok('publish', { id: '/moved' })
  const { items } = await site.ok('revisions', { id: '/moved' }, reader)
  assert.deepEqual(
    items.map((row: Record<string, unknown>) => [row['revision'], row['by'], row['via'], row['action']]),
    [
      [3, 'Owner', 'api', 'SVC_Content.publish'],
      [2, 'Owner', 'api', 'SVC_Content.update'],
      [1, 'Owner', 'api', 'SVC_Content.create'],
    ],
  )
  const { item, changed } = await site.ok('revert', { id: '/moved', revision: 1 })
  assert.deepEqual(
    [item.title, item.path, item.status, item.revision, changed],
    ['One', '/moved', 'published', 4, ['title', 'body']],
  )
  assert.equal((await site.run('revisions', { id: '/moved' }, nobody)).ok, false)
})

test('attack 88: of two writes with one revision one succeeds', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About' })
  const outcomes = await Promise.all(['a', 'b'].map((title) => site.run('update', { id: '/about', title, if_revision: 1 })))
  assert.deepEqual(outcomes.map((outcome) => (outcome.ok ? 'ok' : outcome.failure.code)).sort(), ['conflict', 'ok'])
  const stale = await site.fails('publish', { id: '/about', if_revision: 1 })
  assert.deepEqual([stale.code, stale.revision, Array.isArray(stale.changes)], ['conflict', 2, true])
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

test("a token's limits hold for every write", async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'Page', status: 'published' })
  await site.ok('create', { type: 'post', title: 'Post' })
  const posts = tokenOf('content', { types: ['post'] })
  const drafts = tokenOf('content', { drafts_only: true })
  const rows = [
    [posts, 'create', { type: 'page', title: 'x' }],
    [posts, 'update', { id: '/page', title: 'x' }],
    [posts, 'update', { id: '/post', type: 'page' }],
    [posts, 'delete', { ids: ['/page'] }],
    [posts, 'put', { path: '/x', markdown: '# x' }],
    [drafts, 'create', { type: 'post', title: 'x', status: 'published' }],
    [drafts, 'update', { id: '/page', title: 'x' }],
    [drafts, 'publish', { id: '/post' }],
    [drafts, 'publish', { id: '/post', at: '2030-01-01' }],
    [drafts, 'unpublish', { id: '/page' }],
    [drafts, 'delete', { ids: ['/page'] }],
  ] as const
  for (const [as, action, input] of rows) assert.equal((await site.fails(action, input, as)).code, 'refused', action)
  assert.equal((await site.ok('update', { id: '/post', title: 'x' }, posts)).changed[0], 'title')
  assert.equal((await site.ok('update', { id: '/post', title: 'y' }, drafts)).changed[0], 'title')
  assert.equal((await site.ok('delete', { ids: ['/post'] }, drafts)).done.length, 1)
})

test('a write says what a person would have noticed of its text', async () => {
  await using site = await openContentSite()
  const body = `<script>x</script> ![](cat.jpg) ${'word '.repeat(300)}`
  const codes = (answer: { warnings: { code: string }[] }) => answer.warnings.map(({ code }) => code)
  const created = await site.ok('create', { type: 'page', title: 'About', body })
  assert.deepEqual(codes(created), ['markup_removed', 'alt_missing'])
  assert.deepEqual(created.warnings[0].found, ['<script>'])
  assert.equal((await site.ok('get', { id: '/about' })).body, body)
  assert.deepEqual(codes(await site.ok('update', { id: '/about', body: 'short' })), ['body_shrank'])
  assert.deepEqual(codes(await site.ok('edit', { id: '/about', edits: [{ append: '<iframe src="x"></iframe>' }] })), [
    'markup_removed',
  ])
})

test('the path / names whichever entry is the home page', async () => {
  await using site = await openContentSite({ settings: { home: '/about' } })
  await site.ok('create', { type: 'page', title: 'About', status: 'published' })
  assert.equal((await site.ok('get', { id: '/' }, nobody)).path, '/about')
  assert.equal((await site.ok('update', { id: '/', title: 'Home' })).item.path, '/about')
  assert.equal((await site.ok('put', { path: '/', markdown: 'x' })).created, false)
})

test('a site without a home page has nothing at /', async () => {
  await using site = await openContentSite()
  assert.equal((await site.fails('get', { id: '/' })).code, 'not_found')
  assert.deepEqual((await site.fails('put', { path: '/', markdown: '# x' })).field, 'path')
})

for (const { name, examples, output } of contentActions) {
  for (const { title, input } of examples) {
    test(`the example of ${name}, "${title}", works as its schemas say`, async () => {
      await using site = await openContentSite()
      await site.ok('put', { path: '/about', markdown: '---\ntitle: About\nstatus: published\n---\n\n# About\n' })
      await site.ok('put', { path: '/hello', markdown: '---\ntype: post\ntitle: Hello\n---\n\n# Hello\n' })
      const answer = await site.ok(name, input)
      assert(fits(output, answer), JSON.stringify(answer))
    })
  }
}

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
  assert.deepEqual([results[1].title, results[2].item.path], ['Changed', '/about/below'])
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

test('what another process changes is seen here within a second', async () => {
  await using site = await openContentSite()
  await site.ok('create', { type: 'page', title: 'About', status: 'published' })
  await site.ok('get', { id: '/about' }, nobody)
  const other = await site.other()
  const { dispatch } = await import('../../src/actions/dispatch.ts')
  await dispatch(other, writer, { name: 'SVC_Content.unpublish', input: { id: '/about' }, options: {} }, { origin: '' })
  const deadline = Date.now() + 1000
  let outcome = await site.run('get', { id: '/about' }, nobody)
  while (outcome.ok && Date.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    outcome = await site.run('get', { id: '/about' }, nobody)
  }
  assert.equal(outcome.ok, false)
})

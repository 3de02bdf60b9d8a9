// SVC_Content through dispatch, on a real database: how entries are made and changed, and what is refused.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { content } from '../../src/actions/content/index.ts'
import { fits } from '../../src/actions/call/validate.ts'
import { openContentSite, start } from './content-site.ts'

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
  const { excerpt, seo, locale } = (await site.ok('get', { id: '/about' })).item
  assert.deepEqual(
    [excerpt, seo, locale],
    [null, { title: null, description: 'd', canonical: null, noindex: false, image: null }, 'pt-BR'],
  )
  for (const field of ['stage', 'terms', 'cover', 'template', 'translation_of', 'comments', 'staged', 'path', 'id2']) {
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
  assert.equal((await site.ok('get', { id: '/contact' })).item.revision, 2)
  const dry = await site.ok('edit', { id: '/contact', edits: [{ find: '199', replace: '198' }], dry_run: true })
  assert.deepEqual([dry.activity_id, dry.diff.length], [null, 1])
  assert.equal((await site.ok('get', { id: '/contact' })).item.revision, 2)
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

test('a write says what a person would have noticed of its text', async () => {
  await using site = await openContentSite()
  const body = `<script>x</script> ![](cat.jpg) ${'word '.repeat(300)}`
  const codes = (answer: { warnings: { code: string }[] }) => answer.warnings.map(({ code }) => code)
  const created = await site.ok('create', { type: 'page', title: 'About', body })
  assert.deepEqual(codes(created), ['markup_removed', 'alt_missing'])
  assert.deepEqual(created.warnings[0].found, ['<script>'])
  assert.equal((await site.ok('get', { id: '/about' })).item.body, body)
  assert.deepEqual(codes(await site.ok('update', { id: '/about', body: 'short' })), ['body_shrank'])
  assert.deepEqual(codes(await site.ok('edit', { id: '/about', edits: [{ append: '<iframe src="x"></iframe>' }] })), [
    'markup_removed',
  ])
})

for (const { name, examples, output } of Object.values(content)) {
  for (const { title, input } of examples) {
    test(`the example of ${name}, "${title}", works as its schemas say`, async () => {
      await using site = await openContentSite()
      await site.ok('put', { path: '/about', markdown: '---\ntitle: About\nstatus: published\n---\n\n# About\n' })
      await site.ok('put', { path: '/hello', markdown: '---\ntype: post\ntitle: Hello\n---\n\n# Hello\n' })
      if (name === 'end-preview') await site.ok('preview', { id: '/hello' })
      const answer = await site.ok(name, input)
      assert(fits(output, answer), JSON.stringify(answer))
    })
  }
}

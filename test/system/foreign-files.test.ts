// Files as Hugo, Zola and Jekyll have them, put by a script: their keys, dates, terms and old addresses.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => void (site = await openSite()))
after(() => site[Symbol.asyncDispose]())

const put = (path: string, lines: readonly string[], more = {}) =>
  site.call('SVC_Content.put', { path, markdown: lines.join('\n'), ...more })

test('a file of Hugo becomes a page with its date, terms, description and old addresses', async () => {
  const file = [
    '+++',
    'title = "Rye bread"',
    'type = "post"',
    'date = 2019-05-01T08:00:00+02:00',
    'lastmod = 2020-01-01',
    'draft = false',
    'status = "published"',
    'description = "How we bake it."',
    'tags = ["Bread"]',
    'aliases = ["/2019/05/rye.html", "../old-rye/"]',
    '+++',
    '',
    'Baked at four.',
  ]
  const { warnings } = await put('/rye-bread', file, { terms_create: true })
  const { item } = await site.call('SVC_Content.get', { id: '/rye-bread' })
  assert.deepEqual([item.type, item.title, item.status], ['post', 'Rye bread', 'published'])
  assert.deepEqual([item.published_at, item.seo.description], ['2019-05-01T06:00:00.000Z', 'How we bake it.'])
  assert.deepEqual(
    item.terms.map(({ name }: { name: string }) => name),
    ['Bread'],
  )
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['terms_created'],
  )
  for (const old of ['/2019/05/rye.html', '/old-rye']) {
    const { status, headers } = await site.send(old, { token: null })
    assert.deepEqual([status, headers.get('location')], [301, '/rye-bread'], old)
  }
  assert.deepEqual((await put('/rye-bread', file, { terms_create: true })).changed, [])
})

test('an old address that leads elsewhere stays as it is, and a draft is not told of', async () => {
  await put('/team', ['---', 'title: Team', 'status: published', '---', '', 'We.'])
  await site.call('SVC_Redirects.create', { from: '/ruled', to: '/team' })
  const { warnings } = await put('/secret', [
    '---',
    'title: Secret',
    'aliases: [/team, /ruled, /2019/05/rye.html, "https://elsewhere.example/x", /admin, /waiting]',
    '---',
    '',
    'Not yet.',
  ])
  assert.deepEqual(
    warnings.map(({ code }: { code: string }) => code),
    ['alias_passed_over', 'alias_passed_over'],
  )
  assert.deepEqual(
    new Set(warnings.flatMap(({ found }: { found: string[] }) => found)),
    new Set(['https://elsewhere.example/x', '/admin', '/team', '/ruled', '/2019/05/rye.html']),
  )
  assert.equal((await site.send('/waiting', { token: null })).status, 404)
  assert.equal((await site.send('/ruled', { token: null })).headers.get('location'), '/team')
  await site.call('SVC_Content.publish', { id: '/secret' })
  assert.equal((await site.send('/waiting', { token: null })).headers.get('location'), '/secret')
})

test('the path of the call decides, a field of the type keeps its name, and an unknown key is refused', async () => {
  await site.call('SVC_Types.create', {
    name: 'Boat',
    slug: 'boat',
    fields: [{ name: 'weight', kind: 'number' }],
  })
  const { warnings } = await put('/boat/anna', [
    '{"title": "Anna", "weight": 900, "slug": "other", "permalink": "/boat/anna/"}',
    '',
    'Text.',
  ])
  const { item } = await site.call('SVC_Content.get', { id: '/boat/anna' })
  assert.deepEqual([item.type, item.fields.weight, item.position], ['boat', 900, 0])
  assert.deepEqual(
    warnings.map(({ code, found }: { code: string; found: string[] }) => [code, found]),
    [['path_differs', ['slug']]],
  )
  const { status, json } = await site.api('SVC_Content.put', {
    path: '/x',
    markdown: '---\ntitle: X\nlayout: post\n---\n\nText.',
  })
  assert.deepEqual([status, json.error.code], [400, 'invalid'])
  assert.match(json.error.message, /layout/)
})

test('undo takes the old addresses away too', async () => {
  const { activity_id } = await put('/gone', [
    '---',
    'title: Gone',
    'status: published',
    'aliases: /old-gone',
    '---',
    '',
    'Text.',
  ])
  assert.equal((await site.send('/old-gone', { token: null })).status, 301)
  await site.call('SVC_Activity.undo', { ids: [activity_id] })
  assert.equal((await site.send('/old-gone', { token: null })).status, 404)
})

test('the Markdown form of a public page is put back, and changes nothing', async () => {
  await put('/whole', ['---', 'title: Whole', 'status: published', 'excerpt: All of it.', '---', '', 'Text.', ''])
  const { text } = await site.send('/whole.md', { token: null })
  const { changed, warnings } = await site.call('SVC_Content.put', { path: '/whole', markdown: text })
  assert.deepEqual([changed, warnings], [[], []])
})

// The reader of Ghost's exports: what it takes, and what it never takes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ghostFormat } from '../../src/imports/readers/ghost/ghost.ts'
import { partsOf, partsOfKind, sourceOf } from './parts.ts'

const post = {
  id: 'a1',
  title: 'Rye &amp; wheat',
  slug: 'rye',
  html: '<p><img src="__GHOST_URL__/content/images/2024/02/rye.jpg"></p>',
  type: 'post',
  status: 'published',
  visibility: 'public',
  published_at: '2024-02-03T10:00:00.000Z',
  updated_at: '2024-02-04T10:00:00.000Z',
  feature_image: '__GHOST_URL__/content/images/size/w600/2024/02/cover.jpg',
  featured: true,
  codeinjection_head: '<script>track()</script>',
}

const tables = {
  posts: [
    post,
    { ...post, id: 'a2', slug: 'about', title: 'About', type: 'page', codeinjection_head: null },
    { ...post, id: 'a3', slug: 'paid', title: 'Paid', visibility: 'paid', codeinjection_head: null },
    { ...post, id: 'a4', slug: 'sent', title: 'Sent', status: 'sent', codeinjection_head: null },
    { id: 5, title: 'Old', slug: 'old', html: 'x', page: 1, status: 'draft', published_at: 1_500_000_000_000 },
  ],
  posts_meta: [{ post_id: 'a1', meta_title: 'Rye bread', feature_image_alt: 'A loaf' }],
  posts_tags: [
    { post_id: 'a1', tag_id: 't2', sort_order: 1 },
    { post_id: 'a1', tag_id: 't1', sort_order: 0 },
    { post_id: 'a1', tag_id: 't3', sort_order: 2 },
  ],
  posts_authors: [{ post_id: 'a1', author_id: 'u1', sort_order: 0 }],
  tags: [
    { id: 't1', name: 'News', slug: 'news' },
    { id: 't2', name: 'Bread', slug: 'bread' },
    { id: 't3', name: '#wide', slug: 'hash-wide', visibility: 'internal' },
  ],
  users: [{ id: 'u1', name: 'Anna', slug: 'anna', email: 'anna@old.example', password: '$2a$10$secrethash', bio: 'Bakes' }],
  settings: [
    { key: 'title', value: 'Bakery' },
    { key: 'timezone', value: 'Europe/Berlin' },
    { key: 'navigation', value: '[{"label":"Home","url":"__GHOST_URL__/"},{"label":"About","url":"/about/"}]' },
    { key: 'members_private_key', value: '-----BEGIN secretkey' },
    { key: 'password', value: 'secretword' },
    { key: 'codeinjection_foot', value: '<script>secretcode()</script>' },
  ],
  api_keys: [{ secret: 'secretapi' }],
  newsletters: [],
}

const json = JSON.stringify({ db: [{ meta: { exported_on: 1, version: '6.10.0' }, data: tables }] })
const read = (more: Record<string, string> = {}) => partsOf(ghostFormat, sourceOf({ 'site/ghost.json': json, ...more }))

test('posts and pages with their tags, authors, covers and addresses', async () => {
  const parts = await read()
  const entries = partsOfKind(parts, 'entry')
  assert.deepEqual(
    entries.map(({ slug, type, status, heldBecause }) => [slug, type, heldBecause ?? status]),
    [
      ['rye', 'post', 'published'],
      ['about', 'page', 'published'],
      ['paid', 'post', 'members'],
      ['sent', 'post', 'sent by mail only'],
      ['old', 'page', 'draft'],
    ],
  )
  const [first] = entries
  assert.deepEqual(
    first?.terms.map(({ slug }) => slug),
    ['news', 'bread'],
  )
  assert.deepEqual(
    [first?.title, first?.author, first?.publishedAt, first?.addresses, first?.pinned, first?.seo],
    ['Rye & wheat', 'anna', { utc: Date.UTC(2024, 1, 3, 10) }, ['/rye/'], true, { title: 'Rye bread' }],
  )
  assert.deepEqual(first?.cover, { address: '/content/images/size/w600/2024/02/cover.jpg', alt: 'A loaf', caption: undefined })
  assert.deepEqual(entries[4]?.publishedAt, { utc: 1_500_000_000_000 })
  assert.deepEqual(
    partsOfKind(parts, 'menu').map(({ location, items }) => [location, items.map(({ target }) => target)]),
    [['main', [{ address: '/' }, { address: '/about/' }]]],
  )
})

test('no secret of the old site is read, and code for pages is only named (attack 164)', async () => {
  const parts = await read()
  assert.ok(!/secret(hash|key|word|code|api)|track\(\)/.test(JSON.stringify(parts)))
  assert.deepEqual(
    partsOfKind(parts, 'loss')
      .map(({ group, name }) => `${group} ${name}`)
      .sort(),
    ['code codeinjection_foot', 'code codeinjection_head', 'secrets site/ghost.json', 'table api_keys', 'tag #wide'],
  )
})

test('files of the folder content are media without their sizes; what only texts show is media to fetch', async () => {
  const parts = await read({
    'site/content/images/2024/02/rye.jpg': 'x',
    'site/content/images/2024/02/rye_o.jpg': 'x',
    'site/content/images/size/w600/2024/02/rye.jpg': 'x',
    'site/content/media/oven.mp4': 'x',
  })
  assert.deepEqual(
    partsOfKind(parts, 'media').map(({ address, path }) => [address, path]),
    [
      ['/content/images/2024/02/rye.jpg', 'site/content/images/2024/02/rye.jpg'],
      ['/content/media/oven.mp4', 'site/content/media/oven.mp4'],
    ],
  )
  assert.equal(partsOfKind(await read(), 'media')[0]?.path, undefined)
})

test('routes, redirects and members of files beside it', async () => {
  const parts = await read({
    'site/routes.yaml':
      'collections:\n  /blog/:\n    permalink: /blog/{year}/{slug}/\n    filter: primary_tag:news\n  /:\n    permalink: /{slug}/\n',
    'site/redirects.json': '[{"from":"^/old/(.*)$","to":"/new/$1","permanent":true},{"from":"/a","to":"/b","permanent":false}]',
    'site/members.csv':
      'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels\r\n' +
      'm1,bert@else.example,"Bert, the baker",,true,,,2023-01-01T00:00:00.000Z,,\r\nm2,gone@else.example,,,true,,,2023-01-01,2024-01-01,\r\n',
  })
  assert.deepEqual(partsOfKind(parts, 'entry')[0]?.addresses, ['/blog/2024/rye/'])
  assert.deepEqual(
    partsOfKind(parts, 'redirect').map(({ source, status, isPattern }) => [source, status, isPattern]),
    [
      ['^/old/(.*)$', 301, true],
      ['/a', 302, false],
    ],
  )
  assert.deepEqual(
    partsOfKind(parts, 'member').map(({ email, name, subscribed }) => [email, name, subscribed]),
    [['bert@else.example', 'Bert, the baker', true]],
  )
})

test('other JSON is no export, and one that was cut has a sentence', async () => {
  assert.equal(await ghostFormat.recognises(sourceOf({ 'package.json': '{"name":"x"}' })), false)
  await assert.rejects(partsOf(ghostFormat, sourceOf({ 'g.json': json.slice(0, -100) })), /is not whole JSON/)
})

test('what has no place here is named: further authors, pictures of profiles, the look', async () => {
  const more = {
    posts: [{ ...post, codeinjection_head: null, canonical_url: 'https://else.example/', custom_template: 'custom-wide' }],
    posts_meta: [{ post_id: 'a1', og_title: 'Other' }],
    posts_authors: [
      { post_id: 'a1', author_id: 'u2', sort_order: 1 },
      { post_id: 'a1', author_id: 'u1', sort_order: 0 },
    ],
    users: [
      { id: 'u1', name: 'Anna', slug: 'anna', website: 'https://anna.example' },
      { id: 'u2', name: 'Bo', slug: 'bo', profile_image: '/content/images/bo.jpg' },
    ],
    settings: [{ key: 'accent_color', value: '#963' }],
  }
  const file = JSON.stringify({ db: [{ meta: {}, data: more }] })
  const parts = await partsOf(ghostFormat, sourceOf({ 'ghost.json': file }))
  assert.deepEqual(
    partsOfKind(parts, 'loss').map(({ group, name, where }) => [group, name, where]),
    [
      ['secrets', 'ghost.json', undefined],
      ['users', 'website', 'anna'],
      ['users', 'profile_image', 'bo'],
      ['setting', 'accent_color', undefined],
      ['author', 'bo', 'Rye & wheat'],
      ['meta', 'canonical_url', 'Rye & wheat'],
      ['meta', 'custom_template', 'Rye & wheat'],
      ['meta', 'og_*', 'Rye & wheat'],
    ],
  )
})

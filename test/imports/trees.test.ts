// The readers of trees of files, and of tables and feeds.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findFormat } from '../../src/imports/formats.ts'
import { createReferences } from '../../src/imports/references.ts'
import { csvFormat } from '../../src/imports/readers/csv.ts'
import { rssFormat } from '../../src/imports/readers/rss.ts'
import { treeFormat } from '../../src/imports/readers/trees/trees.ts'
import { partsOf, partsOfKind, sourceOf } from './parts.ts'

const entriesOf = async (files: Record<string, string | Buffer>) =>
  partsOfKind(await partsOf(treeFormat, sourceOf(files)), 'entry')

test('Jekyll: dates and categories of paths, permalinks, drafts, collections, old addresses', async () => {
  const entries = await entriesOf({
    'repo-main/_config.yml': 'title: Bakery\nurl: https://old.example\n',
    'repo-main/bread/_posts/2024-05-01-Rye-Bread.md':
      '---\ntitle: Rye\ncategories: dark sour\ntags: [rye]\nredirect_from: /r\n---\nText',
    'repo-main/_posts/2024-05-02-rolls.markdown': '---\npermalink: /r/:year/:title/\ndate: 2024-05-03 13:07:09 +02:00\n...\nText',
    'repo-main/_drafts/cake.md': '---\ntitle: Cake\n---\nText',
    'repo-main/about.md': '---\ntitle: About\npublished: false\n---\nText',
    'repo-main/_layouts/default.html': '<html>',
    'repo-main/index.html': '---\n---\n{% for post in site.posts %}x{% endfor %}',
    'repo-main/_posts/2024-05-04-bad.md': '---\ntitle: "Bad\nx: [\n---\nText',
    'repo-main/_posts/2024-05-05-away.md': '---\npermalink: /%2e%2e/%2e%2e/baddie.html\n---\nText',
  })
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  const rye = byId.get('bread/_posts/2024-05-01-Rye-Bread.md')
  assert.deepEqual(rye?.addresses, ['/bread/dark/sour/2024/05/01/Rye-Bread.html', '/r'])
  assert.deepEqual(
    rye?.terms.map(({ taxonomy, slug }) => `${taxonomy}/${slug}`),
    ['category/bread', 'category/dark', 'category/sour', 'tag/rye'],
  )
  const rolls = byId.get('_posts/2024-05-02-rolls.markdown')
  assert.deepEqual([rolls?.addresses, rolls?.publishedAt], [['/r/2024/rolls/'], { utc: Date.UTC(2024, 4, 3, 11, 7, 9) }])
  assert.deepEqual(
    ['_drafts/cake.md', 'about.md', '_posts/2024-05-04-bad.md'].map((id) => byId.get(id)?.status),
    ['draft', 'draft', 'draft'],
  )
  assert.deepEqual(byId.get('_posts/2024-05-05-away.md')?.addresses, [])
  assert.equal(entries.length, 6)
})

test('Hugo: TOML, sections, bundles, languages, permalinks, aliases that are relative', async () => {
  const files = {
    'hugo.toml':
      'baseURL = "https://old.example/"\ndefaultContentLanguage = "en"\n[languages.en]\n[languages.de]\n[permalinks]\nposts = "/:year/:month/:slug/"\n',
    'content/posts/Rye.md': '+++\nTitle = "Rye"\ndate = 2024-05-01\naliases = ["../old-rye", "/r"]\nweight = 3\n+++\nText',
    'content/docs/_index.md': '---\ntitle: Docs\n---\n',
    'content/docs/oven/index.md': '---\ntitle: Oven\ncover:\n  image: oven.jpg\n---\n![](oven.jpg)',
    'content/docs/oven/oven.jpg': 'x',
    'content/about.de.md': '---\ntitle: Über\n---\n',
    'content/about.md': '---\ntitle: About\ndraft: true\n---\n',
    'static/logo.png': 'x',
  }
  const parts = await partsOf(treeFormat, sourceOf(files))
  const byId = new Map(partsOfKind(parts, 'entry').map((entry) => [entry.id, entry]))
  const rye = byId.get('content/posts/Rye.md')
  assert.deepEqual(
    [rye?.type, rye?.addresses, rye?.publishedAt, rye?.position],
    [
      'post',
      ['/2024/05/rye/', '/2024/05/old-rye', '/r'].map((one, at) => (at === 1 ? '/2024/old-rye' : one)),
      { local: '2024-05-01T00:00:00' },
      3,
    ],
  )
  const oven = byId.get('content/docs/oven/index.md')
  assert.deepEqual(
    [oven?.addresses, oven?.parent, oven?.cover],
    [['/docs/oven/'], 'content/docs/_index.md', { address: 'oven.jpg', id: 'content/docs/oven/oven.jpg' }],
  )
  const [german, english] = [byId.get('content/about.de.md'), byId.get('content/about.md')]
  assert.deepEqual([german?.language, german?.addresses, english?.status], ['de', ['/de/about/'], 'draft'])
  assert.equal(german?.translations, 'content/about.md')
  assert.deepEqual(
    partsOfKind(parts, 'media').map(({ address }) => address),
    ['/docs/oven/oven.jpg', '/logo.png'],
  )
})

test('Obsidian: notes are private unless they say otherwise; tags stand in the text', async () => {
  const entries = await entriesOf({
    '.obsidian/app.json': '{}',
    'Bread/Rye.md': 'See [[Rolls]] #bread/dark and `#code`',
    'Rolls.md': '---\npublish: true\ntags: [bread]\n---\nText',
  })
  assert.deepEqual(
    entries.map(({ id, status, terms }) => [id, status, terms.map(({ slug }) => slug)]),
    [
      ['Bread/Rye.md', 'draft', ['bread/dark']],
      ['Rolls.md', 'published', ['bread']],
    ],
  )
})

test('Eleventy and Astro: addresses from paths', async () => {
  const [post] = await entriesOf({ 'eleventy.config.js': '', 'src/blog/2024-05-01-rye.md': '---\ntags: [posts, rye]\n---\nText' })
  assert.deepEqual(
    [post?.addresses, post?.publishedAt, post?.terms.length],
    [['/blog/rye/'], { local: '2024-05-01T00:00:00' }, 1],
  )
  const [page] = await entriesOf({
    'astro.config.mjs': '',
    'src/content/blog/rye.mdx': '---\ntitle: Rye\npubDate: 2024-05-01\n---\nText',
  })
  assert.deepEqual([page?.type, page?.addresses], ['post', ['/blog/rye/']])
})

const lossesOf = (parts: Parameters<typeof partsOfKind>[0]) =>
  partsOfKind(parts, 'loss').map(({ group, name, where }) => `${group} ${name}${where === undefined ? '' : ` (${where})`}`)

test('every file of a tree that is no text and no medium is named', async () => {
  const parts = await partsOf(
    treeFormat,
    sourceOf({
      'README.md': 'About the repository',
      'site/_config.yml': 'title: Bakery',
      'site/index.html': '---\ntitle: Home\n---\n{% for post in site.posts %}Words{% endfor %}',
      'site/_layouts/post.html': '<html>',
      'site/_layouts/page.html': '<html>',
      'site/_data/prices.yml': 'rye: 3',
      'site/_posts/2024-05-01-rye.md': '---\nauthors: [anna, bo]\n---\nText',
      'site/_my.bread/themes/dark.md': 'Text',
      'site/robots.txt': 'x',
      'site/.gitignore': 'x',
    }),
  )
  assert.deepEqual(lossesOf(parts).sort(), [
    'author bo (_posts/2024-05-01-rye.md)',
    'file *.txt (robots.txt)',
    'file *.yml (_data/prices.yml)',
    'file _layouts/ (_layouts/page.html)',
    'file _layouts/ (_layouts/post.html)',
    'file files beside the site (README.md)',
    'file index.html',
  ])
  assert.deepEqual(
    partsOfKind(parts, 'entry').map(({ id }) => id),
    ['_my.bread/themes/dark.md', '_posts/2024-05-01-rye.md'],
  )
})

test('Hugo: settings in several files, menus of settings and pages, terms with pages of their own, addresses in a language', async () => {
  const parts = await partsOf(
    treeFormat,
    sourceOf({
      'config/_default/config.toml': 'baseURL = "https://old.example/"\ndefaultContentLanguage = "en"',
      'config/_default/permalinks.toml': 'post = "/p/:slug/"',
      'config/_default/languages.toml': '[en]\n[de]\n[[de.menus.main]]\nname = "Über"\nurl = "ueber/"',
      'config/_default/menus.toml':
        '[[main]]\nname = "Shop"\nidentifier = "shop"\nurl = "https://shop.example/"\nweight = 2\n[[footer]]\nname = "Imprint"\npageRef = "/imprint"',
      'content/post/rye/index.md': '---\ntitle: Rye & Wheat\ntags: [Dark Bread]\nmenu:\n  main:\n    weight: 1\n---\nText',
      'content/post/rolls.md': '---\ntitle: Rolls\nmenus: [main]\n---\nText',
      'content/about.de.md': '---\ntitle: Über\nurl: ueber/uns\ntags: [Dark Bread]\nmenu: {main: {parent: shop}}\n---\n',
      'content/tags/dark-bread/_index.md': '---\ntitle: Dark loaves\n---\nAll of rye.',
      'content/themes/_index.md': '---\ntitle: Themes\n---\n',
    }),
  )
  const entries = new Map(partsOfKind(parts, 'entry').map((entry) => [entry.id, entry]))
  assert.deepEqual(
    ['content/post/rye/index.md', 'content/post/rolls.md', 'content/about.de.md', 'content/themes/_index.md'].map(
      (id) => entries.get(id)?.addresses,
    ),
    [['/p/rye-wheat/'], ['/p/rolls/'], ['/de/ueber/uns'], ['/themes/']],
  )
  assert.deepEqual(partsOfKind(parts, 'term'), [
    {
      kind: 'term',
      taxonomy: 'tag',
      slug: 'Dark Bread',
      name: 'Dark loaves',
      description: 'All of rye.',
      addresses: ['/de/tags/dark-bread/', '/tags/dark-bread/'],
    },
  ])
  const menus = partsOfKind(parts, 'menu').map(({ id, location, items }) => [
    id,
    location,
    items.map(({ title, target, children }) => [title, Object.values(target)[0], children.length]),
  ])
  assert.deepEqual(menus, [
    [
      'main',
      'main',
      [
        ['Rye & Wheat', 'content/post/rye/index.md', 0],
        ['Shop', 'https://shop.example/', 0],
        ['Rolls', 'content/post/rolls.md', 0],
      ],
    ],
    ['footer', 'footer', [['Imprint', '/imprint', 0]]],
    [
      'main-de',
      undefined,
      [
        ['Über', '/ueber/', 0],
        ['Über', 'content/about.de.md', 0],
      ],
    ],
  ])
})

test('names of files with marks of addresses are whole addresses', async () => {
  const entries = await entriesOf({
    '_config.yml': 'title: Bakery',
    '_posts/2024-05-01-rye #1.md': 'Text',
    '_posts/2024-05-01-rye #2.md': 'Text',
    '50% off?.md': 'Text',
  })
  assert.deepEqual(entries.map(({ addresses }) => addresses).sort(), [
    ['/2024/05/01/rye %231.html'],
    ['/2024/05/01/rye %232.html'],
    ['/50%25 off%3F.html'],
  ])
})

test('Eleventy: navigation, and front matter in JSON; a program is not run, and its text is a draft', async () => {
  const parts = await partsOf(
    treeFormat,
    sourceOf({
      'eleventy.config.js': '',
      'content/about.md': '---js\nconst secret = 1\n---\n# About',
      'content/rye.md': '---json\n{"title": "Rye", "eleventyNavigation": {"key": "Loaves", "order": 1}}\n---\nText',
    }),
  )
  assert.deepEqual(
    partsOfKind(parts, 'entry').map(({ title, status, text }) => [title, status, text.source]),
    [
      ['About', 'draft', '# About'],
      ['Rye', 'published', 'Text'],
    ],
  )
  assert.deepEqual(
    partsOfKind(parts, 'menu').map(({ items }) => items.map(({ title }) => title)),
    [['Loaves']],
  )
})

test('UTF-16 with its mark is read', async () => {
  const text = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('---\ntitle: Brühe\n---\nText', 'utf16le')])
  assert.equal((await entriesOf({ 'a.md': text }))[0]?.title, 'Brühe')
})

test('references: relative, from the root, by the name of a note, never outside', async () => {
  const find = await createReferences([
    'posts/a.md',
    'posts/pictures/x.png',
    'static/logo.png',
    'Notes/Rye Bread.md',
    'deep/Notes/Rye Bread.md',
  ])
  assert.equal(find('posts/a.md', 'pictures/x.png'), 'posts/pictures/x.png')
  assert.equal(find('posts/a.md', '/logo.png?v=1'), 'static/logo.png')
  assert.equal(find('deep/b.md', 'rye bread'), 'deep/Notes/Rye Bread.md')
  assert.equal(find('posts/a.md', 'Notes/Rye%20Bread'), 'Notes/Rye Bread.md')
  assert.equal(find('posts/a.md', '../../etc/passwd'), undefined)
  assert.equal(find('posts/a.md', 'https://else.example/logo.png'), undefined)
})

test('a table: columns by their names or by a map, and a sentence for a wrong one', async () => {
  const files = sourceOf({ 'events.csv': 'Event;\r\n' })
  const table = sourceOf({
    'events.csv':
      'Name,When,Price,Tags\r\n"Bread, dark",2024-05-01 10:00,3.20,"rye, sour"\r\n\r\nRolls,2024-05-02T10:00:00Z,,\r\n',
  })
  const entries = partsOfKind(await partsOf(csvFormat, table, { map: { When: 'date' }, type: 'event' }), 'entry')
  assert.deepEqual(
    entries.map(({ title, type, publishedAt, fields, terms }) => [title, type, publishedAt, fields, terms.length]),
    [
      ['Bread, dark', 'event', { local: '2024-05-01T10:00:00' }, { price: '3.20' }, 2],
      ['Rolls', 'event', { utc: Date.UTC(2024, 4, 2, 10) }, {}, 0],
    ],
  )
  await assert.rejects(partsOf(csvFormat, table, { map: { Nam: 'title' } }), /no column "Nam"/)
  await assert.rejects(partsOf(csvFormat, files), /no column `title`/)
})

test('feeds: RSS and Atom', async () => {
  const rss = `<rss><channel><title>B</title><link>https://old.example/</link><item><title>Rye</title><link>https://old.example/2024/rye.html</link>
    <guid>1</guid><pubDate>Wed, 01 May 2024 08:00:00 +0000</pubDate><category>Bread</category><description>Short</description></item></channel></rss>`
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>B</title><link rel="self" href="https://old.example/feed"/><link href="https://old.example/"/>
    <entry><title>Rye</title><id>tag:1</id><link href="https://old.example/rye/"/><published>2024-05-01T08:00:00Z</published>
    <content type="html">&lt;p&gt;Text&lt;/p&gt;</content><category term="bread"/></entry></feed>`
  for (const [text, slug, source] of [
    [rss, 'rye', 'Short'],
    [atom, 'rye', '<p>Text</p>'],
  ] as const) {
    const parts = await partsOf(rssFormat, sourceOf({ 'feed.xml': text }))
    const [entry] = partsOfKind(parts, 'entry')
    assert.deepEqual(
      [entry?.slug, entry?.text.source, entry?.publishedAt, entry?.terms.length],
      [slug, source, { utc: Date.UTC(2024, 4, 1, 8) }, 1],
    )
    assert.equal(partsOfKind(parts, 'site')[0]?.url, 'https://old.example')
  }
})

test('a feed that another service makes is of the site where its items are', async () => {
  const rss = `<rss><channel><title>B</title><link>https://feeds.example/b</link><item><title>Rye</title><guid>1</guid>
    <link>https://old.example/rye?source=rss</link></item></channel></rss>`
  const parts = await partsOf(rssFormat, sourceOf({ 'feed.xml': rss }))
  assert.equal(partsOfKind(parts, 'site')[0]?.url, 'https://old.example')
})

test('formats are recognised; what is none has a sentence', async () => {
  assert.equal((await findFormat(sourceOf({ 'a.md': 'x' }))).name, 'markdown')
  await assert.rejects(findFormat(sourceOf({ 'a.exe': 'x' })), /in a format that can be imported/)
})

// Everything that visitors and programs read of a site: archives, feeds, the sitemap and the other files. Only what is public is on any of them,
// and each is well-formed whatever an entry is called.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parseAtomFeed, parseJsonFeed, parseRssFeed } from 'feedsmith'
import { HtmlValidate } from 'html-validate'
import { validateXML } from 'xmllint-wasm'
import { writeRows } from '../rows.ts'
import { openSite, root, type TestSite } from '../site.ts'

let site: TestSite

const hostile = 'Tom & <b>"Jerry"</b> ]]> \uFFFE\u{1F600}'
/** Entries that nobody but the owner may see. Each has the word in its title, its text and its path. */
const hidden: readonly (readonly [what: string, more: Record<string, unknown>])[] = [
  ['draft', { status: 'draft' }],
  ['private', { status: 'private' }],
  ['scheduled', { status: 'scheduled', published_at: '2099-01-01' }],
  ['expired', { status: 'published', published_at: '2026-03-04', unpublish_at: '2099-01-01' }],
]

const create = (more: Record<string, unknown>) => site.call('SVC_Content.create', { type: 'post', status: 'published', ...more })
const read = async (path: string) => site.send(path, { token: null })
const paths = {
  home: '/',
  page: '/about',
  entry: '/march-two',
  posts: '/posts',
  term: '/category/news',
  author: '/author/ann',
  year: '/2026',
  month: '/2026/03',
  'second page': '/category/news/page/2',
  'list as Markdown': '/posts.md',
  rss: '/feed.xml',
  atom: '/atom.xml',
  'json feed': '/feed.json',
  'feed of a term': '/category/news/feed.xml',
  'feed of an author': '/author/ann/atom.xml',
  sitemap: '/sitemap.xml',
  'a part of the sitemap': '/sitemap-1.xml',
  'llms.txt': '/llms.txt',
  'not found': '/secret-drafty',
  search: '/search?q=secret',
} as const

before(async () => {
  site = await openSite()
  const me = (await site.call('SVC_Accounts.me')).item ?? (await site.call('SVC_Accounts.list')).items[0]
  await site.call('SVC_Accounts.update', { id: me.id, name: 'Ann', slug: 'ann', public: true, bio: 'Writes & walks.' })
  await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'News', text: 'What is *new*.' })
  const shared = { terms: ['category/news'], author: me.id }
  await create({ ...shared, title: 'March one', published_at: '2026-03-01', body: 'One.\n\n## A heading\n\nText.' })
  await create({ ...shared, title: 'March two', published_at: '2026-03-02', body: 'Two.' })
  await create({ ...shared, title: 'April', published_at: '2026-04-01', body: 'Three.' })
  await create({ ...shared, title: hostile, slug: 'hostile', published_at: '2026-05-01', body: hostile })
  await create({ type: 'page', title: 'About', body: 'Who we are.' })
  for (const [what, more] of hidden) {
    const title = `Secret ${what}`
    await create({ ...shared, title, body: `secret ${what}`, ...more })
    await create({ type: 'page', title: `${title} page`, parent: '/about', body: 'secret', ...more })
  }
  const { item } = await create({ ...shared, title: 'Secret trashed', published_at: '2026-03-03', body: 'secret trash' })
  await site.call('SVC_Content.delete', { ids: [item.id] })
  // Its time has passed, and the job that takes it off the site has not run yet.
  await writeRows(site.home, "update entry set unpublish_at = 1 where title like 'Secret expired%'", [])
  await site.call('SVC_Settings.update', { set: { posts_per_page: 3, site_title: 'Notes & <more>' } })
})
after(() => site[Symbol.asyncDispose]())

for (const [what, path] of Object.entries(paths))
  test(`attack 89: nothing that is not public is in ${what}`, async () => {
    const { status, text } = await read(path)
    assert.equal(status, what === 'not found' ? 404 : 200)
    // What was asked for is not told from what there is.
    const told = what === 'search' ? text.replaceAll(/value="secret"|“secret”|"secret"|secret<|: secret/g, '') : text
    assert.doesNotMatch(told.replaceAll('secret-drafty', ''), /secret/i)
  })

test('archives list what they are of, newest first and in pages, and a period without entries is no page', async () => {
  const titles = async (path: string) =>
    [...(await read(path)).text.matchAll(/<h2[^>]*><a href="[^"]*">([^<]*)/g)].map(([, title]) => title)
  assert.deepEqual(await titles('/2026/03'), ['March two', 'March one'])
  assert.deepEqual((await titles('/category/news')).slice(1), ['April', 'March two'])
  assert.deepEqual(await titles('/category/news/page/2'), ['March one'])
  assert.deepEqual((await titles('/author/ann')).length, 3)
  assert.deepEqual((await titles('/posts/page/2')).length, 1)
  for (const path of ['/2025', '/2026/13', '/category/nothing', '/author/nobody', '/posts/page/3', '/posts/page/1'])
    assert.equal((await read(path)).status, 404, path)
  // A reader that asks for the feed of a month gets that of the site.
  assert.equal((await read('/2026/06/feed.xml')).status, 301)
})

test('the page of an author is there only while the profile is public', async () => {
  const [{ id, email }] = (await site.call('SVC_Accounts.list')).items
  await site.call('SVC_Accounts.update', { id, public: false })
  assert.equal((await read('/author/ann')).status, 404)
  assert.doesNotMatch((await read('/sitemap.xml')).text, /author/)
  await site.call('SVC_Accounts.update', { id, public: true })
  const { status, text } = await read('/author/ann')
  assert.equal(status, 200)
  assert.ok(!text.includes(email), email)
})

test('a disabled account has no public profile', async () => {
  const account = { email: 'bob@example.org', name: 'Bob', role: 'content' }
  await site.call('SVC_Accounts.create', account)
  await site.call('SVC_Accounts.update', { id: account.email, public: true, slug: 'bob' })
  assert.equal((await read('/author/bob')).status, 200)
  await site.call('SVC_Accounts.update', { id: account.email, disabled: true })
  assert.equal((await read('/author/bob')).status, 404)
  assert.doesNotMatch((await read('/sitemap.xml')).text, /bob/)
})

test('attack 97: feeds parse, and a hostile title is text in them', async () => {
  const rss = parseRssFeed((await read('/feed.xml')).text)
  const atom = parseAtomFeed((await read('/atom.xml')).text)
  const json = parseJsonFeed((await read('/feed.json')).text)
  const shown = hostile.replace('\uFFFE', '')
  const plain = (text: string | undefined) => text?.replace(/\s+/g, ' ')
  assert.equal(plain(rss.items?.[0]?.title), plain(shown))
  assert.equal(plain((atom.entries?.[0]?.title as { value?: string })?.value ?? String(atom.entries?.[0]?.title)), plain(shown))
  assert.equal(json.items?.length, 4)
  assert.equal(rss.title, 'Notes & <more>')
  assert.ok(rss.items?.every(({ link, pubDate }) => link?.startsWith(site.base) && pubDate !== undefined))
  assert.equal((await read('/category/news/feed.xml')).headers.get('content-type'), 'application/rss+xml; charset=utf-8')
})

test('the sitemap is valid by its schema, and names each page that may be indexed once', async () => {
  await create({ type: 'page', title: 'Unlisted', seo: { noindex: true } })
  const { text, headers } = await read('/sitemap.xml')
  assert.equal(headers.get('content-type'), 'application/xml; charset=utf-8')
  const schema = readFileSync(join(root, 'test', 'fixtures', 'sitemap.xsd'), 'utf8')
  const { valid, errors } = await validateXML({ xml: { fileName: 'sitemap.xml', contents: text }, schema })
  assert.ok(valid, JSON.stringify(errors))
  const found = [...text.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url = '']) => url.replace(site.base, ''))
  const expected = ['/', '/about', '/april', '/author/ann', '/category/news', '/hostile', '/march-one', '/march-two']
  assert.deepEqual(found.toSorted(), expected)
  assert.equal((await read('/sitemap-2.xml')).status, 404)
})

test('robots.txt names the sitemap, llms.txt the Markdown of each page, and the manifest the icon', async () => {
  assert.match((await read('/robots.txt')).text, new RegExp(`Sitemap: ${site.base}/sitemap.xml`))
  await site.call('SVC_Types.create', { slug: 'recipe', name: 'Recipe' })
  await site.call('SVC_Content.create', { status: 'published', type: 'recipe', title: 'Bread', body: 'Flour and water.' })
  const llms = (await read('/llms.txt')).text
  assert.deepEqual(llms.match(/^## .*$/gm), ['## Pages', '## Posts', '## Recipe'])
  const links = [...llms.matchAll(/\]\(([^)]*)\)/g)].map(([, url = '']) => url.replace(site.base, ''))
  assert.ok(links.includes('/about.md') && links.length >= 5)
  for (const link of links) assert.equal((await read(link)).status, 200, link)
  const manifest = (await read('/site.webmanifest')).json
  assert.equal(manifest.name, 'Notes & <more>')
  const icon = await read(new URL(manifest.icons[0].src).pathname)
  assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/svg+xml'])
})

const validator = new HtmlValidate({
  extends: ['html-validate:standard'],
  rules: {
    'void-style': 'off',
    'no-trailing-whitespace': 'off',
    'doctype-style': 'off',
    'long-title': 'off',
    'no-inline-style': 'off',
  },
})

test('pages are valid HTML with JSON-LD, feeds, a canonical address and cards in their head', async () => {
  for (const path of ['/', '/about', '/hostile', '/march-two', '/category/news', '/author/ann', '/2026/03', '/nothing-here']) {
    const { text } = await read(path)
    const { results } = await validator.validateString(text)
    assert.deepEqual(
      results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`)),
      [],
      path,
    )
    if (path === '/nothing-here') continue
    const block = JSON.parse(/<script type="application\/ld\+json">([^<]*)</.exec(text)?.[1] ?? '') as Record<string, any> // oxlint-disable-line no-explicit-any
    const kinds = block['@graph'].map((one: Record<string, unknown>) => one['@type'])
    assert.ok(kinds.includes('Organization') && kinds.includes('WebSite'), path)
    assert.ok(path === '/' || kinds.includes('BreadcrumbList'), path)
    for (const part of [
      'rel="canonical"',
      'property="og:title"',
      'name="twitter:card"',
      'type="application/rss+xml"',
      'rel="manifest"',
    ])
      assert.ok(text.includes(part), `${path}: ${part}`)
  }
  assert.match(
    (await read('/march-two')).text,
    /"@type":"BlogPosting"[^<]*"author":\{"@type":"Person","name":"Ann","url":"[^"]*\/author\/ann"/,
  )
})

test('an entry has its neighbours by date, related entries and terms, and a page those below it', async () => {
  const { text } = await read('/march-two')
  assert.match(text, /href="[^"]*\/march-one" rel="prev"/)
  assert.match(text, /href="[^"]*\/april" rel="next"/)
  assert.match(text, /href="[^"]*\/category\/news"/)
  assert.match(text, /id="related"/)
  await create({ type: 'page', title: 'Team', parent: '/about' })
  assert.match((await read('/about')).text, /href="[^"]*\/about\/team"/)
})

test('a path at which there is nothing suggests the page that may be meant', async () => {
  const { status, text } = await read('/abuot')
  assert.equal(status, 404)
  assert.match(text, /id="suggestions"[^]*href="[^"]*\/about"/)
  assert.doesNotMatch((await read('/zzzz')).text, /id="suggestions"/)
})

test('the page that the owner chose lists all posts, and its home page is what it was', async () => {
  await create({ type: 'page', title: 'Journal' })
  await site.call('SVC_Settings.update', { set: { home: '/about', posts_page: '/journal' } })
  const journal = await read('/journal')
  assert.match(journal.text, /<h1>Journal<\/h1>[^]*\/april"/)
  assert.equal((await read('/journal/page/2')).status, 200)
  assert.match((await read('/')).text, /href="[^"]*\/journal"/)
  await site.call('SVC_Settings.update', { set: { home: null, posts_page: null } })
})

test('an entry that has the path of an output keeps it', async () => {
  const { item } = await create({ type: 'page', title: 'Plan', slug: '2031' })
  assert.equal(item.path, '/2031')
  assert.match((await read('/2031')).text, /Plan/)
})

test('the owner lets pages load from other origins and be kept in front for seconds; a limited token may not name an origin', async () => {
  const headers = async () => (await read('/about')).headers
  const { token } = await site.call('SVC_Tokens.create', { name: 'limited', scope: 'admin', limits: { per_minute: 1000 } })
  const sources = { set: { allowed_sources: ['https://maps.example.org'] } }
  const refused = await site.api('SVC_Settings.update', sources, { token })
  assert.equal(refused.json.error?.code, 'refused')
  assert.doesNotMatch((await headers()).get('content-security-policy') ?? '', /maps/)
  await site.call('SVC_Settings.update', { set: { ...sources.set, cache_seconds: 5 } })
  assert.match((await headers()).get('content-security-policy') ?? '', /script-src 'self' https:\/\/maps\.example\.org;/)
  assert.equal((await headers()).get('cache-control'), 'public, max-age=0, s-maxage=5, stale-while-revalidate=5')
  const findings = await site.call('SVC_Health.check', { only: ['sources'] })
  assert.match(JSON.stringify(findings), /https:\/\/maps\.example\.org/)
  await site.call('SVC_Settings.update', { set: { allowed_sources: null, cache_seconds: null } })
  assert.equal((await headers()).get('cache-control'), 'no-cache')
})

test('an entry from before a path was reserved wins there, and the check of health names it', async () => {
  await create({ type: 'page', title: 'Our posts', slug: 'our-posts', body: 'By hand.' })
  await writeRows(site.home, "update entry set path = '/posts', slug = 'posts' where slug = 'our-posts'", [])
  await site.call('SVC_Settings.update', { set: { site_tagline: 'Changed' } })
  assert.match((await read('/posts')).text, /By hand\./)
  assert.match(JSON.stringify(await site.call('SVC_Health.check', { only: ['paths'] })), /Our posts[^]* at \/posts/)
})

test('the list of a type is at the beginning of its paths, its former path leads there, and its pages and feed name it', async () => {
  await site.call('SVC_Types.create', { slug: 'event', name: 'Events', path: '/events/{slug}', feed: true })
  await create({ type: 'event', title: 'Fair' })
  assert.match((await read('/events')).text, /<h1>Events<\/h1>[^]*\/events\/fair/)
  const former = async (path: string) => {
    const { status, headers } = await site.send(path, { token: null })
    return [status, headers.get('location')]
  }
  assert.deepEqual(await former('/event'), [301, '/events'])
  assert.deepEqual(await former('/event?a=b'), [301, '/events?a=b'])
  assert.deepEqual((await former('/event/page/2'))[1], '/events/page/2')
  const { text: page } = await read('/events/fair')
  assert.match(page, /<a href="[^"]*\/events">Events<\/a>/)
  assert.match((await read('/about')).text, /property="og:type" content="website"/)
  assert.match((await read('/march-two')).text, /property="og:type" content="article"/)
  for (const path of ['/events/feed.xml', '/event/feed.xml']) {
    const { text: feed } = await read(path)
    assert.ok(feed.includes('Events – Notes &amp; &lt;more&gt;') && feed.includes('/events/fair'), path)
  }
  assert.doesNotMatch((await read('/feed.xml')).text, /<channel>\s*<title>[^<]* – /)
})

// Kept pages: a change of what is public drops those that read an area of it, and no others. After each kind of change, each kind of
// page is what a site that keeps nothing would answer.

import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import { until } from '../until.ts'
import { openPages, type VisitedPages } from './visited-pages.ts'

let on: TestSite
let pages: VisitedPages
const ids: Record<string, string> = {}

const drawing = (radius: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="${radius}"/></svg>`

const run = (name: string, input: Record<string, unknown>) => on.ok(name.includes('.') ? name : `SVC_Content.${name}`, input)
const make = async (title: string, input: Record<string, unknown>): Promise<string> =>
  (ids[title] = (await run('create', { title, ...input })).item.id)
const publish = async (title: string, input: Record<string, unknown>) =>
  run('publish', { id: await make(title, { ...input, author: on.owner.id }) })

before(async () => {
  on = await openTestSite()
  await run('SVC_Settings.update', { set: { languages: ['de'], posts_per_page: 3 } })
  await run('SVC_Accounts.update', { id: on.owner.id, public: true, slug: 'owner', bio: 'Rows.' })
  await run('SVC_Terms.create', { taxonomy: 'category', slug: 'boats', name: 'Boats' })
  await run('SVC_Terms.create', { taxonomy: 'category', slug: 'canoes', name: 'Canoes', parent: 'category/boats' })
  await run('SVC_Terms.create', { taxonomy: 'tag', slug: 'wood', name: 'Wood' })
  const { item } = await run('SVC_Media.upload', { text: drawing(3), filename: 'boat.svg', alt: 'A boat' })
  ids['photo'] = item.id
  const cover = { cover: item.id }
  await publish('About', { type: 'page', body: `Read [the old address](/moved) and [more](/team).\n\n![Boat](${item.path})` })
  await publish('Team', { type: 'page', parent: '/about', body: 'We are four.' })
  await publish('Moved', { type: 'page', body: 'Somewhere.' })
  await run('move', { id: ids['Moved'], slug: 'moved-on' })
  for (const at of [1, 2, 3, 4, 5])
    await publish(`Post ${at}`, { type: 'post', body: `Text ${at}.`, ...cover, terms: [at % 2 ? 'category/canoes' : 'tag/wood'] })
  await publish('Impressum', { type: 'page', locale: 'de', body: 'Wir.', translation_of: '/about' })
  await make('Draft', { type: 'post', body: 'Not yet.' })
  await run('SVC_Menus.create', {
    slug: 'main',
    location: 'main',
    items: [{ entry: '/about' }, { term: 'category/boats' }, { url: '/posts', label: 'All' }],
  })
  await run('SVC_Redirects.put-many', { rules: [{ from: '/away', to: '/about' }] })
  await run('SVC_Themes.create', { slug: 'mine', from: 'default' })
  await run('SVC_Themes.activate', { id: 'mine' })
  pages = openPages(on.site)
})
after(() => on[Symbol.asyncDispose]())

const targets = [
  '/',
  '/?page=2',
  '/de',
  '/about',
  '/about/team',
  '/about.md',
  '/index.md',
  '/post-1',
  '/post-5',
  '/de/impressum',
  '/moved-on',

  '/posts',
  '/posts/page/2',
  '/posts.md',
  '/category/boats',
  '/category/canoes',
  '/tag/wood',
  '/author/owner',
  '/2026',
  '/2026/11',

  '/feed.xml',
  '/de/feed.json',
  '/tag/wood/atom.xml',
  '/sitemap.xml',
  '/robots.txt',
  '/llms.txt',
  '/favicon.ico',
  '/site.webmanifest',
  '/away',
  '/moved',
  '/post-6',
  '/abuot',
  '/search?q=text',
]

const textOf = (answer: string): string => answer.slice(answer.indexOf('\n'))

const visitAll = async ({ visit }: VisitedPages): Promise<void> => {
  for (const target of targets) await visit(target)
}

/** A process of its own, as far as caches go. */
async function openOther() {
  const site = await on.other()
  return { ...openPages(site), site }
}

const update = (title: string, input: Record<string, unknown>) => () => run('update', { id: ids[title], ...input })
const setting = (set: Record<string, unknown>) => () => run('SVC_Settings.update', { set })

const countOf = async (find: string): Promise<number> =>
  (await on.fails('SVC_Content.replace-all', { find, replace: '', expect: 9999 }))['expected'] as number

/** Each kind of change that a page can show. They build on each other. */
const changes: readonly (readonly [what: string, change: () => Promise<unknown>])[] = [
  ['the title of an entry in the menu', update('About', { title: 'About us' })],
  ['the text of a page', update('Team', { body: 'We are five.' })],
  ['the slug of a page with others below it', () => run('move', { id: ids['About'], slug: 'who' })],
  ['and back', () => run('move', { id: ids['About'], slug: 'about' })],
  ['the text of a post', update('Post 3', { body: 'A text that is new.' })],
  ['the title of a post beside others', update('Post 4', { title: 'Post four' })],
  ['a post that is published', () => publish('Post 6', { type: 'post', body: 'Text 6.', terms: ['category/canoes'] })],
  ['a post that gets another term', update('Post 5', { terms: ['tag/wood'] })],
  ['a post with another cover', update('Post 1', { cover: null })],
  ['a post of another date', update('Post 2', { published_at: '2025-03-01T09:00:00Z' })],
  ['a draft that a visitor never saw', update('Draft', { title: 'Draft two', body: 'Still not.' })],
  ['a change that waits', () => run('update', { id: ids['Post 1'], title: 'Staged', stage: true })],
  ['the waiting change, published', () => run('publish', { id: ids['Post 1'] })],
  ['a post that is scheduled', () => run('publish', { id: ids['Draft'], published_at: '2026-11-21T10:00:00Z' })],
  [
    'the moment at which it is due',
    () => {
      on.clock.at += 2 * 3_600_000
      return run('publish', { id: ids['Draft'] })
    },
  ],
  ['a post that is taken off the site', () => run('unpublish', { id: ids['Post 6'] })],
  ['a page in the trash', () => run('delete', { id: ids['Moved'] })],
  ['a page out of the trash', () => run('restore', { id: ids['Moved'] })],
  ['a page that is public again', () => run('publish', { id: ids['Moved'] })],
  ['a term of another name', () => run('SVC_Terms.update', { id: 'category/boats', name: 'Ships' })],
  ['a term of another slug', () => run('SVC_Terms.update', { id: 'tag/wood', slug: 'oak' })],
  ['a term with another term above it', () => run('SVC_Terms.update', { id: 'category/canoes', parent: null })],
  ['a term that is deleted', () => run('SVC_Terms.delete', { id: 'tag/oak' })],
  ['a new term', () => run('SVC_Terms.create', { taxonomy: 'tag', slug: 'wood', name: 'Wood again' })],
  ['the profile of an author', () => run('SVC_Accounts.update', { id: on.owner.id, name: 'Olive', bio: 'Sails.' })],
  ['a profile that is not public', () => run('SVC_Accounts.update', { id: on.owner.id, public: false })],
  ['and is again', () => run('SVC_Accounts.update', { id: on.owner.id, public: true })],
  ['the alternative text of an image', () => run('SVC_Media.update', { id: ids['photo'], alt: 'A red boat' })],
  ['the name of an image', () => run('SVC_Media.update', { id: ids['photo'], filename: 'red-boat.svg' })],
  ['an image in the trash', () => run('SVC_Media.delete', { id: ids['photo'], force: true })],
  ['an image out of the trash', () => run('SVC_Media.restore', { id: ids['photo'] })],
  ['a menu', () => run('SVC_Menus.update', { id: 'main', items: [{ entry: ids['Team'] }, { entry: ids['Post 4'] }] })],
  ['no menu', () => run('SVC_Menus.delete', { id: 'main' })],
  ['the order of pages in the default menu', update('Moved', { position: -5 })],
  ['a redirect', () => run('SVC_Redirects.put-many', { rules: [{ from: '/away', to: '/moved-on' }] })],
  ['a translation', () => publish('Das Team', { type: 'page', locale: 'de', body: 'Vier.', translation_of: ids['Team'] })],
  ['a page without its translation', update('Impressum', { translation_of: null })],
  ['the title of the site', setting({ site_title: 'Boats' })],
  ['the home page', setting({ home: '/about' })],
  ['the text of the home page', update('About', { body: 'At home.' })],
  ['the page of posts', setting({ posts_page: '/moved-on' })],
  ['the title of the page of posts', update('Moved', { title: 'All that we wrote' })],
  ['the page of posts, not public', () => run('unpublish', { id: ids['Moved'] })],
  ['a logo', () => run('SVC_Settings.update', { set: { logo: ids['photo'] } })],
  ['the image that is the logo', () => run('SVC_Media.update', { id: ids['photo'], alt: 'The logo' })],
  ['one language', setting({ languages: [] })],
  [
    'a theme file',
    () =>
      run('SVC_Themes.write', {
        id: 'mine',
        file: 'page.liquid',
        text: "{% layout 'layout' %}{% block main %}<h1>{{ page.title }}!</h1>{{ page.entry.content }}{% endblock %}",
      }),
  ],
  ['another theme', () => run('SVC_Themes.activate', { id: 'default' })],
  ['a type', () => run('SVC_Types.create', { slug: 'event', name: 'Event', feed: true })],
  ['a plugin', () => run('SVC_Plugins.activate', { id: 'legacy-bridge', may: ['authenticate'] })],
  ['many entries at once', async () => run('replace-all', { find: 'Text', replace: 'Words', expect: await countOf('Text') })],
]

/** A deep run looks at every page after each change, and at a further process that hears of the changes by the database. */
const looksAtAll = process.env['TEST_PAGES'] === 'all'
const every = looksAtAll ? 1 : 18

test('after each kind of change, each kind of page is what it would be if nothing were kept', async () => {
  const fresh = await openOther()
  const heard = looksAtAll ? await openOther() : undefined
  await visitAll(pages)
  if (heard) await visitAll(heard)
  const compare = async (after: string, some: readonly string[]) => {
    await fresh.site.freshness.forgetAll()
    for (const target of some) {
      const expected = await fresh.visit(target)
      assert.equal(await pages.visit(target), expected, `${target} after: ${after}`)
      if (heard) assert.equal(await heard.visit(target), expected, `${target} in another process after: ${after}`)
    }
  }
  const tried = looksAtAll ? changes : changes.filter(([what]) => what !== 'a plugin')
  for (const [at, [what, change]] of tried.entries()) {
    const before = heard?.site.freshness.generation ?? 0
    await change()
    if (heard) {
      await until('the other process hears of it', () => heard.site.freshness.generation > before)
      await sleep(100)
    }
    await compare(
      what,
      targets.filter((_target, place) => (place + at) % every === 0),
    )
  }
})

test('what is not public drops no page; a text drops the page and what shows texts, and a title what shows titles', async () => {
  await visitAll(pages)
  const madeAgain = async (): Promise<readonly string[]> => {
    const made: string[] = []
    for (const target of targets) {
      pages.made()
      const page = await pages.visit(target)
      // A missing path is looked up each time.
      if (pages.made() > 0 && page.startsWith('200')) made.push(target)
    }
    return made
  }
  assert.deepEqual(await madeAgain(), [])
  const draft = await make('Another draft', { type: 'post', body: 'Nobody reads this.', terms: ['category/boats'] })
  await run('update', { id: draft, body: 'Nor this.' })
  await run('update', { id: draft, title: 'Another title', slug: 'another', terms: ['category/canoes'] })
  await run('update', { id: ids['Team'], title: 'Staged', body: 'Waits.', stage: true })
  await run('discard', { id: ids['Team'] })
  await run('publish', { id: draft, published_at: new Date(on.clock.at + 3_600_000).toISOString() })
  await run('delete', { id: draft })
  await run('SVC_Accounts.create', { email: 'new@example.org', name: 'New', role: 'content' })
  await run('SVC_Terms.create', { taxonomy: 'tag', slug: 'new', name: 'New' })
  await run('SVC_Redirects.put-many', { rules: [{ from: '/elsewhere', to: '/about' }] })
  await run('SVC_Media.upload', { text: drawing(4), filename: 'other.svg', alt: 'Other' })
  assert.deepEqual(await madeAgain(), [])
  await run('update', { id: ids['Team'], body: 'We are seven.' })
  assert.deepEqual(await madeAgain(), ['/about/team', '/llms.txt'])
  await run('update', { id: ids['Post 3'], body: 'A text of its own.' })
  const again = await madeAgain()
  for (const shown of ['/', '/posts', '/feed.xml']) assert.ok(again.includes(shown), shown)
  for (const other of ['/about', '/about/team', '/post-5', '/de/impressum']) assert.ok(!again.includes(other), other)
})

test('a page ends with the entry that it shows, also while no schedule takes the entry off the site', async () => {
  await visitAll(pages)
  const until = new Date(on.clock.at + 60_000).toISOString()
  const id = await make('Fair', { type: 'post', body: 'Only today.', terms: ['tag/wood'] })
  await run('publish', { id })
  await run('update', { id, unpublish_at: until })
  const shows = async (target: string) => (await pages.visit(target)).includes('Fair')
  for (const target of ['/fair', '/posts', '/feed.xml']) assert.ok(await shows(target), target)
  on.clock.at += 61_000
  for (const target of ['/fair', '/posts', '/feed.xml']) assert.ok(!(await shows(target)), `${target} after the expiry`)
  await run('unpublish', { id })
})

test('a page that was made before the clock was set back is made anew', async () => {
  const id = await make('Market', { type: 'post', body: 'Only today.' })
  await run('publish', { id })
  await run('update', { id, unpublish_at: new Date(on.clock.at + 60_000).toISOString() })
  on.clock.at += 61_000
  assert.ok(!(await pages.visit('/posts')).includes('Market'))
  on.clock.at -= 30_000
  assert.ok((await pages.visit('/posts')).includes('Market'))
  on.clock.at += 30_000
  assert.ok(!(await pages.visit('/posts')).includes('Market'))
  await run('unpublish', { id })
})

test('changes that wait for an entry leave its last good page, which visitors see while the theme fails', async () => {
  const good = await pages.visit('/about/team')
  await run('update', { id: ids['Team'], title: 'Staged', stage: true })
  mock.method(on.site.themes.renderer, 'render', () => ({ problems: [{ file: 'page.liquid', line: 1, message: 'fails' }] }))
  await on.site.freshness.forgetAll()
  await until('the last good page is shown', async () => textOf(await pages.visit('/about/team')) === textOf(good))
  mock.restoreAll()
  await on.site.freshness.forgetAll()
  await run('discard', { id: ids['Team'] })
})

test('a page is made anew after an hour, as its theme may show the date of today', async () => {
  await on.site.freshness.forgetAll()
  await pages.visit('/about/team')
  pages.made()
  on.clock.at += 59 * 60_000
  await pages.visit('/about/team')
  assert.equal(pages.made(), 0)
  on.clock.at += 60_000
  await pages.visit('/about/team')
  assert.equal(pages.made(), 1)
})

test('the archive of a term shows a post that an older release published, once its terms are stored', async () => {
  const id = await make('Late', { type: 'post', body: 'By an older release.', terms: ['tag/wood'] })
  const other = await openOther()
  await on.site.search.run()
  const write = (title: string, due: boolean) =>
    on.site.store.transaction(async (db) => {
      const published = { status: 'published', published_at: on.clock.at, title, revision: 2 } as const
      await db.updateTable('entry').set(published).where('id', '=', id).execute()
      if (!due) await db.deleteFrom('entry_search_due').where('entry_id', '=', id).execute()
    })
  await write('Later', false)
  for (const site of [on.site, other.site]) await site.freshness.forgetAll()
  for (const { visit } of [pages, other]) assert.ok(!(await visit('/tag/wood')).includes('Later'))
  await write('Latest', true)
  await on.site.search.run()
  for (const { visit } of [pages, other])
    await until('the archive shows it', async () => (await visit('/tag/wood')).includes('Latest'))
})

test('a check of a theme renders nothing while nothing changes that it shows', async () => {
  const check = () => run('SVC_Themes.check', { id: 'default' })
  assert.deepEqual((await check()).problems, [])
  const rendered = mock.method(on.site.themes.trials, 'render').mock
  await check()
  assert.equal(rendered.callCount(), 0)
  await publish('Post 9', { type: 'post', body: 'News.' })
  await check()
  assert.notEqual(rendered.callCount(), 0)
  mock.restoreAll()
})

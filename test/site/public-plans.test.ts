// How the database reads the public pages, by their query plans: however many entries there are, no page reads a whole table or sorts one.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { type Explained, explainQueries, fillTable, withoutReferences } from '../actions/query-plans.ts'
import { findWay } from '../../src/content/redirects/redirect-ways.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { openPages, type VisitedPages } from './visited-pages.ts'

const rowCount = 1500

let on: TestSite
let pages: VisitedPages
let queries: Explained | undefined

before(async () => {
  on = await openTestSite()
  const { store } = on.site
  await on.ok('SVC_Settings.update', { set: { languages: ['de'] } })
  await on.ok('SVC_Types.create', { slug: 'event', name: 'Event', feed: true })
  await on.ok('SVC_Accounts.update', { id: on.owner.id, public: true, slug: 'owner' })
  const { item } = await on.ok('SVC_Terms.create', { taxonomy: 'category', slug: 'news', name: 'News' })
  await withoutReferences(store)
  await fillTable(store, 'entry', rowCount, {
    id: null,
    path: null,
    slug: null,
    type: 'post',
    status: 'published',
    seo: '{}',
    fields: '{}',
    unpublish_at: undefined,

    terms: JSON.stringify([item.id]),
    author_id: on.owner.id,
    locale: undefined,
    parent_id: undefined,
    translation_of: undefined,
    cover: undefined,
    excerpt: undefined,
    staged: 0,
    live_revision: undefined,
    password_hash: undefined,
  })
  // Posts of many days and pages, and a post in another language.
  await sql`update entry set path = '/' || path, published_at = ${Date.parse('2026-10-01T00:00:00Z')} + revision * 60000`.execute(
    store.write,
  )
  await sql`update entry set published_at = ${on.clock.at} - published_at % 5000000000, type = case when id < 'e1100' then 'page' else 'post' end,
    locale = case when id like '%7' then 'de' else null end`.execute(store.write)
  await sql`update entry set body = 'See [one](/e1001) and [another](/e1002).' where path in ('/e2000', '/e2007')`.execute(
    store.write,
  )
  await sql`insert into entry_term (entry_id, term_id, own, status, published_at)
    select id, ${item.id}, 1, status, published_at from entry where true on conflict do nothing`.execute(store.write)
  await fillTable(store, 'old_address', rowCount, { id: null, old: null, kind: 'path', target_kind: 'entry' })
  await on.site.freshness.forgetAll()
  pages = openPages(on.site)
  queries = await explainQueries(store)
})
after(async () => {
  queries?.stop()
  await on[Symbol.asyncDispose]()
})

const targets = [
  '/',
  '/?page=3',
  '/de',
  '/e2000',
  '/e1050',
  '/e2007',
  '/posts',
  '/posts/page/9',
  '/pages',
  '/pages/page/4',
  '/de/pages',
  '/event',
  '/category/news',
  '/category/news/page/5',

  '/author/owner',
  '/author/owner/page/4',
  '/2026',
  '/2026/11',
  '/2026/page/3',
  '/feed.xml',
  '/de/atom.xml',
  '/author/owner/feed.json',
  '/category/news/feed.xml',
  '/event/feed.xml',
  '/sitemap.xml',
  '/llms.txt',
  '/index.md',
  '/posts.md',
  '/not-there',
]

for (const target of targets)
  test(`${target} reads no whole table, sorts none, and reads what it names by that`, async () => {
    const { answer, plans } = await queries!.of(() => pages.visit(target))
    assert.match(answer, target === '/not-there' ? /^404/ : /^200/)
    assert.ok(plans.length > 0)
    const bad = plans.filter(({ text, sorts, scans, passesOver }) => passesOver || ((sorts || scans) && !isSmall(text)))
    assert.deepEqual(
      bad.map(({ text, plan }) => `${plan.join('; ')}\n${text}`),
      [],
    )
  })

test('old addresses are found by their name, not by reading all of a kind', async () => {
  const { plans } = await queries!.of(async () => {
    await pages.visit('/wp-content/uploads/x-300x200.jpg')
    await findWay(on.site.store.read, '/old/x', on.clock.at, () => Promise.resolve(false))
  })
  const found = plans.filter(({ text }) => text.includes('"old_address"')).map(({ plan }) => plan.join('; '))
  assert.ok(found.length > 0)
  for (const plan of found) assert.match(plan, /\(old=\?|old = /)
})

/** Sites have few of these, and read them as a whole: of redirects those with a query, which are kept until one changes. */
const isSmall = (text: string): boolean =>
  /from "(?:theme|theme_file|setting|entry_type)"|from "redirect" where "source" like/.test(text)

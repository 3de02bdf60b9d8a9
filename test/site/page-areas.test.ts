// The areas that public pages read as a whole. A page that reads one row, by its id or its path, does not end with changes of others. A
// page that reads a whole type ends with each publication of that type, so these lists are as short as they can be, above all the
// list of what stands on every page.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { viewOf } from '../../src/site/kept/recorded-site.ts'
import { openLastPages } from '../../src/site/kept/last-pages.ts'
import { makePage } from '../../src/site/pages/make-page.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

let on: TestSite

before(async () => {
  on = await openTestSite()
  await on.ok('SVC_Settings.update', { set: { languages: ['de'], posts_per_page: 3 } })
  await on.ok('SVC_Accounts.update', { id: on.owner.id, public: true, slug: 'owner' })
  await on.ok('SVC_Terms.create', { taxonomy: 'tag', slug: 'wood', name: 'Wood' })
  const publish = (title: string, input: Record<string, unknown>) =>
    on.ok('SVC_Content.create', { title, status: 'published', author: on.owner.id, ...input })
  await publish('About', { type: 'page', body: 'See [the posts](/posts), [the team](/about/team) and [nothing](/nowhere).' })
  await publish('Team', { type: 'page', parent: '/about', body: 'We.' })
  await publish('Über', { type: 'page', slug: 'ueber', locale: 'de', body: 'Wir.', translation_of: '/about' })
  for (const n of [1, 2]) await publish(`Post ${n}`, { type: 'post', body: 'Text.', terms: ['tag/wood'] })
  await publish('Post 3', { type: 'post', body: 'Text.' })
})
after(() => on[Symbol.asyncDispose]())

/** The areas of a page, without those of single rows. */
async function wholeAreas(path: string): Promise<readonly string[]> {
  const { site } = on
  const last = openLastPages(on.home, site.log)
  const notes = site.freshness.areas.note()
  const frame = { site: viewOf(site, notes), origin: 'https://example.org' }
  await makePage(frame, last, { form: 'html', path, page: 1 }, { path, target: path })
  const isOfOne = (area: string) => / (?:id|path|translation_of|parent_id|entry_id|media_id|slug|ref)=/.test(area)
  const areas = [...notes.areas].map(({ name }) => name)
  return areas.filter((area) => !isOfOne(area) && !area.endsWith(' *')).sort()
}

const menus = ['menu location=footer', 'menu location=main']
const onEachPage = [...menus, 'entry names published type=page']

/** What pages read beside what stands on each of them. */
const pages: readonly (readonly [path: string, more: readonly string[]])[] = [
  ['/about', []],
  ['/about/team', []],
  ['/de/ueber', ['menu location=footer.de', 'menu location=main.de']],
  ['/post-3', ['entry names published type=post']],
  ['/post-1', ['entry names published type=post', 'entry names published terms']],
  ['/', ['entry names published type=post']],
  ['/posts', ['entry names published type=post']],
  ['/author/owner', ['entry names published type=post']],
  ['/2026', ['entry names published type=post']],
  ['/tag/wood', ['entry names published ', 'entry names published terms']],
]

for (const [path, more] of pages)
  test(`${path} reads no more areas as a whole than it must`, async () => {
    assert.deepEqual(await wholeAreas(path), [...onEachPage, ...more].sort())
  })

test('files for programs read the types that they list', async () => {
  assert.deepEqual(await wholeAreas('/feed.xml'), ['entry names published type=post'])
  assert.deepEqual(await wholeAreas('/llms.txt'), ['entry published type=page', 'entry published type=post'])
  assert.deepEqual(await wholeAreas('/robots.txt'), [])
})

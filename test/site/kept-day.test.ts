// A day of random changes, the same in each run: no page is ever served that differs from what a site that keeps nothing would answer.
// Another process of the site, which hears of the changes by the database, shows the same within a second.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Site } from '../../src/app/compose.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'
import { until } from '../until.ts'
import { openPages } from './visited-pages.ts'

/** A deep run makes more changes, and looks at every page after each. */
const looksAtAll = process.env['TEST_PAGES'] === 'all'
const steps = Number(process.env['TEST_STEPS'] ?? (looksAtAll ? 200 : 25))
const perStep = looksAtAll ? Infinity : 8
const seed = Number(process.env['TEST_SEED'] ?? 19)

let state = seed
/** A number from 0 to below 1 (mulberry32). */
function random(): number {
  state = (state + 0x6d2b79f5) | 0
  let mixed = Math.imul(state ^ (state >>> 15), state | 1)
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
}
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T

type Input = Record<string, unknown>
type Call = readonly [name: string, input: Input]

let on: TestSite
let other: Site
const entries: string[] = []
const media: string[] = []
const terms = ['category/boats', 'category/canoes', 'tag/wood', 'tag/tar']
const paths = new Set<string>()
let made = 0
let undone = 0

const entry = () => pick(entries)
const someTerms = () => terms.filter(() => random() < 0.4)
const days = [null, '2026-11-20', '2026-11-21', '2026-11-22', '2026-12-24']
const slugs = ['one', 'two', 'three', 'four', 'five']
const textOf = (n: number) => `Text ${n}, see [here](${pick([...paths])}) and ![a picture](${pick(media)}).`
const minutes = (n: number) => new Date(on.clock.at + n * 60_000).toISOString()
const drawing = (n: number) => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle r="${n}"/></svg>`

/** Each kind of change, with how often it comes. */
const kinds: readonly (readonly [weight: number, make: (n: number) => Call])[] = [
  [
    6,
    (n) => [
      'SVC_Content.create',
      {
        type: pick(['page', 'post', 'post', 'event']),
        title: `Made ${n}`,
        body: textOf(n),
        status: pick(['draft', 'published', 'published']),
        author: on.owner.id,
        cover: pick([null, pick(media)]),
      },
    ],
  ],
  [3, () => ['SVC_Content.publish', { id: entry() }]],
  [3, () => ['SVC_Content.update', { id: entry(), fields: { day: pick(days) } }]],
  [2, () => ['SVC_Content.unpublish', { id: entry() }]],
  [6, (n) => ['SVC_Content.update', { id: entry(), body: textOf(n) }]],
  [4, (n) => ['SVC_Content.update', { id: entry(), title: `Renamed ${n}` }]],
  [2, () => ['SVC_Content.update', { id: entry(), terms: someTerms() }]],
  [2, () => ['SVC_Content.update', { id: entry(), parent: pick([null, entry()]) }]],
  [2, () => ['SVC_Content.update', { id: entry(), translation_of: pick([null, entry()]) }]],
  [1, () => ['SVC_Content.update', { id: entry(), locale: pick([null, 'de']) }]],
  [1, () => ['SVC_Content.update', { id: entry(), position: Math.floor(random() * 9) }]],
  [2, () => ['SVC_Content.update', { id: entry(), published_at: minutes(-random() * 90_000) }]],
  [3, () => ['SVC_Content.update', { id: entry(), unpublish_at: pick([null, minutes(1 + random() * 30)]) }]],
  [2, () => ['SVC_Content.publish', { id: entry(), published_at: minutes(random() * 30) }]],
  [4, (n) => ['SVC_Content.update', { id: entry(), title: `Staged ${n}`, body: textOf(n), stage: true }]],
  [1, () => ['SVC_Content.discard', { id: entry() }]],
  [3, () => ['SVC_Content.move', { id: entry(), slug: pick(slugs) }]],
  [2, () => ['SVC_Content.delete', { id: entry() }]],
  [2, () => ['SVC_Content.restore', { id: entry() }]],
  [1, (n) => ['SVC_Content.update', { id: entry(), excerpt: `About ${n}` }]],
  [1, (n) => ['SVC_Terms.update', { id: pick(terms), name: `Term ${n}` }]],
  [1, () => ['SVC_Terms.update', { id: 'category/canoes', parent: pick([null, 'category/boats']) }]],
  [1, (n) => ['SVC_Terms.create', { taxonomy: 'tag', slug: `t${n}`, name: `Tag ${n}` }]],
  [1, () => ['SVC_Terms.delete', { id: pick(terms) }]],
  [1, () => ['SVC_Terms.merge', { ids: ['tag/tar'], into: 'tag/wood' }]],
  [1, () => ['SVC_Menus.create', { slug: 'main', location: 'main', items: [{ entry: entry() }, { term: pick(terms) }] }]],
  [1, () => ['SVC_Menus.update', { id: 'main', items: [{ entry: entry() }, { url: pick([...paths]), label: 'There' }] }]],
  [1, () => ['SVC_Menus.delete', { id: 'main' }]],
  [1, () => ['SVC_Redirects.put-many', { rules: [{ from: '/away', to: pick([...paths]) }] }]],
  [1, (n) => ['SVC_Media.update', { id: pick(media), alt: `Picture ${n}` }]],
  [1, () => ['SVC_Media.delete', { id: pick(media), force: true }]],
  [1, () => ['SVC_Media.restore', { id: pick(media) }]],
  [1, (n) => ['SVC_Accounts.update', { id: on.owner.id, name: `Owner ${n}`, public: random() < 0.7 }]],
  [1, () => ['SVC_Settings.update', { set: { home: pick([null, entry()]) } }]],
  [1, () => ['SVC_Settings.update', { set: { posts_page: pick([null, entry()]) } }]],
  [1, () => ['SVC_Settings.update', { set: { logo: pick([null, pick(media)]) } }]],
]
const wheel = kinds.flatMap(([weight, make]) => Array.from({ length: weight }, () => make))

const lists = [
  '/ /?page=2 /de /posts /posts.md /pages /event /category/boats /category/canoes /tag/wood /author/owner /2026 /2026/11',
  '/feed.xml /de/feed.json /tag/wood/atom.xml /sitemap.xml /llms.txt /away /nowhere',
].flatMap((line) => line.split(' '))

before(async () => {
  on = await openTestSite()
  await on.ok('SVC_Settings.update', { set: { languages: ['de'], posts_per_page: 3 } })
  await on.ok('SVC_Types.create', {
    slug: 'event',
    name: 'Event',
    feed: true,
    taxonomies: ['category', 'tag'],
    fields: [{ name: 'day', kind: 'date' }],
    list: { sort: 'day', hide_past: 'day', shows: ['day'] },
  })
  await on.ok('SVC_Accounts.update', { id: on.owner.id, public: true, slug: 'owner' })
  await on.ok('SVC_Terms.create', { taxonomy: 'category', slug: 'boats', name: 'Boats' })
  await on.ok('SVC_Terms.create', { taxonomy: 'category', slug: 'canoes', name: 'Canoes', parent: 'category/boats' })
  for (const slug of ['wood', 'tar']) await on.ok('SVC_Terms.create', { taxonomy: 'tag', slug, name: slug })
  for (const n of [1, 2])
    media.push((await on.ok('SVC_Media.upload', { text: drawing(n), filename: `p${n}.svg`, alt: 'P' })).item.path)
  for (const n of [0, 1, 2, 3, 4, 5, 6, 7]) {
    const type = pick(['page', 'post', 'event'])
    const { item } = await on.ok('SVC_Content.create', {
      type,
      title: `First ${n}`,
      body: 'Text.',
      terms: type === 'page' ? [] : someTerms(),
    })
    await on.ok('SVC_Content.publish', { id: item.id })
    entries.push(item.id)
    paths.add(item.path)
  }
  other = await on.other()
})
after(() => on[Symbol.asyncDispose]())

/** Time passes, is set back, or the site changes. @returns what happened, in words */
async function step(n: number): Promise<string> {
  const chance = random()
  if (chance < 0.08) {
    on.clock.at += Math.floor(random() * 40 * 60_000)
    return 'time passes'
  }
  if (chance < 0.1) {
    on.clock.at -= 10 * 60_000
    return 'the clock is set back'
  }
  const [name, input] = pick(wheel)(n)
  const outcome = await on.run(name, input)
  if (!outcome.ok) {
    assert.notEqual(outcome.failure.code, 'failed', `${name} ${JSON.stringify(input)}`)
    return `${name}: ${outcome.failure.code}`
  }
  made += 1
  const { item, activity_id: activity } = outcome.data.parse() as {
    item?: { id?: string; path?: string | null }
    activity_id?: string | null
  }
  if (name === 'SVC_Content.create' && item?.id) entries.push(item.id)
  if (name.startsWith('SVC_Content') && item?.path) paths.add(item.path)
  if (activity && random() < 0.15 && (await on.run('SVC_Activity.undo', { ids: [activity] })).ok) undone += 1
  return `${name} ${JSON.stringify(input)}`
}

test('on a day of random changes, no page is served that differs from one that is made anew', async (context) => {
  const [warm, heard] = [openPages(on.site), openPages(other)]
  const coldSite = await on.other()
  const cold = openPages(coldSite)
  const before: string[] = []
  let kept = 0
  for (let n = 0; n < steps; n += 1) {
    const what = await step(n)
    before.push(what)
    on.clock.at += 2000
    await coldSite.freshness.forgetAll()
    const all = [...lists, ...[...paths].flatMap((path) => [path, `${path}.md`])]
    const some = perStep === Infinity ? all : Array.from({ length: perStep }, () => pick(all))
    for (const target of some) {
      const expected = await cold.visit(target)
      warm.made()
      assert.equal(await warm.visit(target), expected, `seed ${seed}: ${target} after ${n}: ${what}`)
      if (warm.made() === 0) kept += 1
      const isFresh = async () => (await heard.visit(target)) === expected
      await until(`seed ${seed}: another process shows ${target} as it is after ${n}: ${what}`, isFresh)
    }
  }
  context.diagnostic(`${made} changes, ${kept} kept pages`)
  if (process.env['TEST_TOLD']) process.stdout.write(`${made} changes, ${kept} kept pages\n${before.join('\n')}\n`)
  assert.ok(undone > 0, 'nothing was undone')
  assert.ok(kept > steps, `${kept} pages came from the cache`)
})

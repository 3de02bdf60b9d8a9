// SVC_Terms: what terms do to entries, to lists and to old addresses, whatever is deleted, merged, undone or reverted in between.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listArchive, withTerms } from '../../src/content/terms/terms.ts'
import { type ContentSite, type Input, nobody, openContentSite, start, tokenOf } from './content-site.ts'
import { publicByIndex } from '../../src/content/entries/entry.ts'
import { explainQueries } from './query-plans.ts'

let site: ContentSite
before(async () => void (site = await openContentSite()))
after(() => site[Symbol.asyncDispose]())

const term = async (taxonomy: string, name: string, more: Input = {}) =>
  (await site.ok('SVC_Terms.create', { taxonomy, name, ...more })).item
let count = 0
const entry = async (terms: readonly string[], more: Input = {}) =>
  (await site.ok('create', { type: 'post', title: `Entry ${++count}`, status: 'published', terms, ...more })).item
const refsOf = async (id: string): Promise<string[]> =>
  (await site.ok('get', { id })).item.terms.map(({ ref }: { ref: string }) => ref)
const titles = async (where: Input, as = tokenOf('admin')) =>
  (await site.ok('list', { where, sort: 'created_at', limit: 100 }, as)).items.map(({ id }: { id: string }) => id)
const undo = (id: string, more: Input = {}) => site.ok('SVC_Activity.undo', { ids: [id], ...more })

test('category, a tree, and tag exist from the start; one can be renamed, and deleted while it has no terms, and undo takes both back', async () => {
  const slugs = async () =>
    (await site.ok('SVC_Terms.taxonomies', {}, nobody)).items.map(({ slug, name, tree }: Input) => [slug, name, tree])
  const first = [
    ['category', 'Categories', true],
    ['tag', 'Tags', false],
  ]
  assert.deepEqual(await slugs(), first)
  const renamed = await site.ok('SVC_Terms.save-taxonomy', { slug: 'tag', name: 'Topics' })
  assert.deepEqual(renamed.changed, ['name'])
  const deleted = await site.ok('SVC_Terms.delete-taxonomy', { id: 'tag' })
  assert.deepEqual(await slugs(), first.slice(0, 1))
  await undo(deleted.activity_id)
  await undo(renamed.activity_id)
  assert.deepEqual(await slugs(), first)
  const gone = await site.ok('SVC_Terms.delete-taxonomy', { id: 'tag' })
  await undo(gone.activity_id)
  assert.deepEqual(await slugs(), first)
})

test('terms are given by name or id, an unknown one is invalid and names the nearest, and none is created', async () => {
  const news = await term('category', 'News')
  const boats = await term('tag', 'Boats & Ships')
  assert.deepEqual([news.ref, boats.ref, news.path], ['category/news', 'tag/boats-and-ships', '/category/news'])
  const { id } = await entry(['category/news', boats.id, news.id])
  assert.deepEqual(await refsOf(id), ['category/news', 'tag/boats-and-ships'])
  for (const [wrong, near] of [
    ['category/newz', 'category/news'],
    ['news', 'category/news'],
  ]) {
    const failure = await site.fails('update', { id, terms: ['tag/boats-and-ships', wrong] })
    assert.deepEqual([failure.code, failure.field, failure.nearest], ['invalid', 'terms.1', [near]])
  }
  assert.equal((await site.ok('SVC_Terms.list', { taxonomy: 'category', count: true })).total, 1)
  const file = '---\ntitle: From a file\nterms:\n  - category/news\n---\n\nText.\n'
  await site.ok('put', { path: '/from-a-file', markdown: file })
  assert.deepEqual(await refsOf('/from-a-file'), ['category/news'])
  assert.deepEqual((await site.ok('put', { path: '/from-a-file', markdown: file })).changed, [])
  assert.deepEqual((await site.ok('update', { id: '/from-a-file', terms: null })).changed, ['terms'])
})

test('in one batch a term is created and used, and the answer names it', async () => {
  const { results } = await site.ok('SVC_API.batch', {
    calls: [
      { action: 'SVC_Terms.create', arguments: { taxonomy: 'tag', name: 'Fresh' } },
      { action: 'SVC_Content.create', arguments: { type: 'post', title: 'Uses it', terms: ['$0.item.id'] } },
      { action: 'SVC_Content.get', arguments: { id: '$1.item.id' } },
    ],
  })
  assert.match(JSON.stringify(results[2]), /"ref":"tag\/fresh","name":"Fresh"/)
})

test('where.terms finds the entries of a term and of the terms below it, wherever these move', async () => {
  const top = await term('category', 'Top')
  const mid = await term('category', 'Mid', { parent: 'category/top' })
  const low = await term('category', 'Low', { parent: mid.id })
  const inTop = await entry([top.id])
  const inLow = await entry([low.id, top.id])
  const inMid = await entry([mid.id], { status: 'draft' })
  const rows: readonly (readonly [where: Input, ids: readonly string[]])[] = [
    [{ terms: 'category/top' }, [inTop.id, inLow.id, inMid.id]],
    [{ terms: 'category/mid' }, [inLow.id, inMid.id]],
    [{ terms: { in: ['category/low', 'category/absent'] } }, [inLow.id]],
    [{ terms: 'category/absent' }, []],
    [{ terms: 'category/top', status: 'draft' }, [inMid.id]],
    [{ any: [{ terms: 'category/low' }, { id: inTop.id }] }, [inTop.id, inLow.id]],
    [{ id: { in: [inTop.id, inLow.id] }, terms: { ne: 'category/low' } }, [inTop.id]],
    [{ id: { in: [inTop.id, inLow.id] }, terms: { exists: false } }, []],
  ]
  for (const [where, ids] of rows) assert.deepEqual(await titles(where), ids, JSON.stringify(where))
  assert.deepEqual(await titles({ terms: 'category/top' }, nobody), [inTop.id, inLow.id])
  assert.equal((await site.ok('SVC_Terms.get', { id: 'category/top' })).count, 2)
  const moved = await site.ok('SVC_Terms.update', { id: 'category/mid', parent: null })
  assert.deepEqual(await titles({ terms: 'category/top' }), [inTop.id, inLow.id])
  await undo(moved.activity_id)
  assert.deepEqual(await titles({ terms: 'category/top' }), [inTop.id, inLow.id, inMid.id])
  for (const parent of ['category/low', 'category/top'])
    assert.equal((await site.fails('SVC_Terms.update', { id: 'category/top', parent })).code, 'refused', parent)
  assert.equal((await site.fails('SVC_Terms.create', { taxonomy: 'tag', name: 'X', parent: 'category/top' })).field, 'parent')
})

test('a deleted term leaves its entries; undo gives it back; neither a revert nor an undo brings back the id of a term that is gone', async () => {
  const [one, two] = [await term('tag', 'One'), await term('tag', 'Two')]
  const { id } = await entry([one.id, two.id])
  const changed = await site.ok('update', { id, terms: [two.id] })
  await undo(changed.activity_id)
  const trashed = await entry([one.id])
  await site.ok('delete', { ids: [trashed.id] })
  const deleted = await site.ok('SVC_Terms.delete', { ids: ['tag/one'] })
  assert.deepEqual(await refsOf(id), ['tag/two'])
  assert.deepEqual(await titles({ terms: 'tag/one' }), [])
  await site.ok('revert', { id, revision: 1 })
  assert.deepEqual(await refsOf(id), ['tag/two'])
  await undo(deleted.activity_id, { force: true })
  assert.deepEqual(await refsOf(id), ['tag/one', 'tag/two'])
  await site.ok('restore', { ids: [trashed.id] })
  assert.deepEqual(await titles({ terms: 'tag/one' }), [id, trashed.id])
  const set = await site.ok('update', { id, terms: [] })
  await site.ok('SVC_Terms.delete', { ids: ['tag/one'] })
  await undo(set.activity_id)
  assert.deepEqual(await refsOf(id), ['tag/two'])
  const { terms } = await site.services.store.read
    .selectFrom('entry')
    .select('terms')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(JSON.parse(terms), [two.id])
})

test('a merge takes entries and lower terms over, and the old archive redirects, as after a new slug', async () => {
  const into = await term('category', 'Offers')
  const from = await term('category', 'Sale')
  const child = await term('category', 'Winter sale', { parent: from.id })
  const [a, b] = [await entry([from.id, into.id]), await entry([child.id])]
  const merged = await site.ok('SVC_Terms.merge', { ids: ['category/sale'], into: 'category/offers' })
  assert.deepEqual(merged.done, [from.id])
  assert.deepEqual(await titles({ terms: 'category/offers' }), [a.id, b.id])
  assert.deepEqual(await refsOf(a.id), ['category/offers'])
  await site.ok('SVC_Terms.update', { id: into.id, slug: 'deals' })
  const { hops, status } = await site.ok('SVC_Redirects.resolve', { path: '/category/sale' }, nobody)
  assert.deepEqual([hops.map(({ to }: { to: string }) => to), status], [['/category/deals'], 200])
  assert.deepEqual(await refsOf(a.id), ['category/deals'], 'an answer from memory has the new name')
  await site.ok('SVC_Terms.update', { id: into.id, slug: 'offers' })
  const back = await site.ok('SVC_Redirects.resolve', { path: '/category/deals' })
  assert.deepEqual([back.hops.length, back.hops[0].to, back.status], [1, '/category/offers', 200])
  assert.equal((await site.fails('SVC_Terms.merge', { ids: ['tag/two'], into: 'category/offers' })).field, 'ids.0')
  const below = await term('category', 'Below', { parent: into.id })
  await site.ok('SVC_Terms.merge', { ids: [into.id], into: below.id })
  assert.deepEqual(await titles({ terms: below.id }), [a.id, b.id])
})

test('a taxonomy for some types refuses the others; one whose path an entry has is refused, and names the entry', async () => {
  await site.ok('SVC_Terms.save-taxonomy', { slug: 'region', name: 'Regions', types: ['page'], tree: true })
  await term('region', 'North')
  assert.equal((await site.fails('create', { type: 'post', title: 'X', terms: ['region/north'] })).field, 'terms.0')
  await site.ok('create', { type: 'page', title: 'Y', terms: ['region/north'] })
  assert.equal((await site.fails('SVC_Terms.delete-taxonomy', { id: 'region' })).code, 'in_use')
  await site.ok('create', { type: 'page', title: 'Brands' })
  const taken = await site.fails('SVC_Terms.save-taxonomy', { slug: 'brands' })
  assert.deepEqual([taken.code, (taken.by as Input)['path']], ['refused', '/brands'])
  assert.equal((await site.fails('SVC_Terms.save-taxonomy', { slug: 'shops', types: ['nonsense'] })).field, 'types.0')
})

test('attack 99: no new entry takes the path of an archive, in a taxonomy of the owner either; one that has it stays', async () => {
  for (const slug of ['category', 'region', 'author', 'Category'])
    assert.match((await site.fails('create', { type: 'page', title: 'T', slug })).code, /^(?:refused|invalid)$/, slug)
  assert.equal((await site.ok('create', { type: 'page', title: 'Region' })).item.slug, 'region-2')
  await site.ok('create', { type: 'page', title: 'Y2026', slug: '2026' })
  assert.equal((await site.fails('create', { type: 'page', title: 'M', slug: '11', parent: '/2026' })).rule, 'reserved path')
  assert.equal((await site.ok('create', { type: 'page', title: 'M', slug: 'plans', parent: '/2026' })).item.path, '/2026/plans')
})

test('attack 89: a term counts and shows public entries alone, and the archive reads them newest first along an index', async () => {
  const { id } = await term('tag', 'Paged')
  const made: string[] = []
  for (let day = 1; day <= 5; day++) made.push((await entry([id], { published_at: `2026-11-0${day}` })).id)
  await entry([id], { status: 'private' })
  await entry([id], { status: 'draft' })
  const brief = await entry([id], { unpublish_at: '2026-11-22' })
  const { store } = site.services
  assert.equal((await site.ok('SVC_Terms.get', { id }, nobody)).count, 6)
  const queries = await explainQueries(store)
  const later = start + 2 * 86_400_000
  const { answer: page, plans } = await queries.of(() =>
    listArchive(store.read, id, { limit: 2, offset: 2, only: (eb) => publicByIndex(eb, later) }),
  )
  const [plan] = plans
  queries.stop()
  assert.deepEqual(page, [made[2], made[1], made[0]])
  assert.ok(plan && !plan.sorts && !plan.scans, plan?.plan.join('; '))
  const isCovered = plan.plan.every((line) => line.includes('COVERING INDEX'))
  assert.ok(isCovered || store.engine !== 'SQLite', plan.plan.join('; '))
  assert.ok(!page.includes(brief.id))
  await site.ok('unpublish', { id: made[4] })
  assert.equal((await site.ok('SVC_Terms.get', { id }, nobody)).count, 5)
})

test('a list by a term uses the index of terms, and reads no whole table', async () => {
  const { store } = site.services
  const queries = await explainQueries(store)
  const { plans } = await queries.of(() => site.ok('list', { where: { terms: 'tag/paged' }, sort: '-published_at', count: true }))
  assert.ok(plans.length > 0)
  queries.stop()
  for (const { text, plan, sorts, scans } of plans)
    assert.ok(
      !(sorts && !/order by case when/.test(text)) && !(scans && !text.startsWith('select count')),
      `${plan.join('; ')}\n${text}`,
    )
})

test('a token for drafts changes no term, and terms that are taken away keep the order of the others', async () => {
  const limited = tokenOf('content', { drafts_only: true })
  assert.equal((await site.fails('SVC_Terms.create', { taxonomy: 'tag', name: 'No' }, limited)).code, 'refused')
  assert.equal(withTerms('["a","b","c"]', { add: ['d', 'a'], remove: ['b'] }), '["a","c","d"]')
})

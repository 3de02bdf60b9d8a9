// Terms by their names: the same name again is the same term, and writes make terms that are not there where they are told to and
// may; on both databases, over proposals, dry runs, limits and races.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openSite, type TestSite } from '../site.ts'

type Input = Readonly<Record<string, unknown>>

for (const database of ['sqlite', 'postgres'] as const)
  describe(`terms by name on ${database}`, () => {
    let site: TestSite
    before(async () => void (site = await openSite({ database })))
    after(() => site[Symbol.asyncDispose]())

    let count = 0
    const post = (more: Input) => ({ type: 'post', title: `Post ${++count}`, ...more })
    const token = async (limits: Input, scope = 'content'): Promise<string> =>
      (await site.call('SVC_Tokens.create', { name: `token ${++count}`, scope, limits })).token
    const refused = async (call: string, input: Input, as?: string) => {
      const { json, text } = await site.api(call, input, as === undefined ? {} : { token: as })
      assert.equal(json.success, false, text)
      return json.error
    }
    const refs = async (taxonomy: string): Promise<string[]> =>
      (await site.call('SVC_Terms.list', { taxonomy, limit: 100 })).items.map(({ ref }: { ref: string }) => ref)
    const termsOf = async (id: string): Promise<string[]> =>
      (await site.call('SVC_Content.get', { id, select: ['terms'] })).item.terms.map(({ ref }: { ref: string }) => ref)
    const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }) => warnings.map(({ code }) => code)
    const waits = async (call: string, input: Input, as: string): Promise<{ id: string; calls: number }> => {
      const { json, text } = await site.api(call, input, { token: as })
      assert.equal(json.data?.pending, true, text)
      return json.data.proposal
    }
    const approve = async (id: string) => {
      const { digest } = (await site.call('SVC_Proposals.get', { id })).item
      return (await site.api('SVC_Proposals.approve', { id, digest })).json
    }

    test('SVC_Terms.create: the same name again, in any case and spacing, answers the term that is there', async () => {
      const first = await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Sailing Boats' })
      for (const name of ['Sailing Boats', 'sailing  boats', ' SAILING BOATS ', 'Sailing-boats']) {
        const again = await site.call('SVC_Terms.create', { taxonomy: 'tag', name })
        assert.deepEqual([again.item.id, again.changed, again.activity_id], [first.item.id, [], null], name)
        assert.deepEqual([codes(again), again.warnings[0].found], [['term_exists'], ['tag/sailing-boats']])
      }
      const text = await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Sailing boats', text: 'On *water*.' })
      assert.match(text.warnings[0].message, /Its `text` stayed as they were: SVC_Terms\.update/)
      assert.equal((await site.call('SVC_Terms.get', { id: 'tag/sailing-boats' })).item.revision, 1)
    })

    test('SVC_Terms.create: another parent, another taxonomy or another slug is another term; a foreign slug is taken', async () => {
      const create = async (more: Input) => (await site.call('SVC_Terms.create', { name: 'Berlin', ...more })).item.ref
      await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Germany' })
      assert.deepEqual(
        [
          await create({ taxonomy: 'category' }),
          await create({ taxonomy: 'category', parent: 'category/germany' }),
          await create({ taxonomy: 'tag' }),
          await create({ taxonomy: 'tag', slug: 'berlin-band' }),
          await create({ taxonomy: 'category', parent: 'category/germany' }),
        ],
        ['category/berlin', 'category/berlin-2', 'tag/berlin', 'tag/berlin-band', 'category/berlin-2'],
      )
      assert.equal((await refused('SVC_Terms.create', { taxonomy: 'tag', name: 'Paris', slug: 'berlin' })).code, 'exists')
    })

    test('without terms_create an unknown term fails as before, and the hint names it; with it, the term is made and told', async () => {
      const input = post({ terms: ['tag/Open Days'] })
      const failure = await refused('SVC_Content.create', input)
      assert.deepEqual([failure.code, failure.field], ['invalid', 'terms.0'])
      assert.match(failure.hint, /`terms_create: true` makes the terms that are not there/)
      const made = await site.call('SVC_Content.create', { ...input, terms_create: true })
      assert.deepEqual(made.warnings, [
        {
          code: 'terms_created',
          message: 'This call made the new term tag/open-days ("Open Days"). SVC_Terms.update changes it.',
          found: ['tag/open-days'],
        },
      ])
      assert.deepEqual(await termsOf(made.item.id), ['tag/open-days'])
      const again = await site.call('SVC_Content.create', {
        ...post({}),
        terms: ['tag/open  days', 'TAG/Open Days'],
        terms_create: true,
      })
      assert.deepEqual([again.warnings, await termsOf(again.item.id)], [[], ['tag/open-days']])
      await site.call('SVC_Activity.undo', { ids: [made.activity_id], force: true })
      assert.ok(!(await refs('tag')).includes('tag/open-days'), 'undo takes the term back with the entry')
    })

    test('update, put and update-many make terms too; update-many makes one for all its entries, and removing makes none', async () => {
      const { item } = await site.call('SVC_Content.create', post({}))
      const updated = await site.call('SVC_Content.update', { id: item.id, terms: ['tag/From update'], terms_create: true })
      assert.deepEqual([updated.changed, codes(updated)], [['terms'], ['terms_created']])
      const markdown = '---\ntype: post\ntitle: From a file\nterms:\n  - tag/From a file\n  - tag/from update\n---\n\nText.\n'
      const file = { path: '/from-a-file', markdown, terms_create: true }
      const put = await site.call('SVC_Content.put', file)
      assert.deepEqual(put.warnings[0].found, ['tag/from-a-file'])
      assert.deepEqual((await site.call('SVC_Content.put', file)).changed, [], 'the same file twice changes nothing')
      assert.deepEqual(await termsOf(put.item.id), ['tag/from-a-file', 'tag/from-update'])
      const many = { ids: [item.id, put.item.id], expect: 2, terms_create: true }
      const all = await site.call('SVC_Content.update-many', { ...many, set: { terms: { add: ['tag/For All'] } } })
      assert.deepEqual([all.counts.done, all.warnings[0].found], [2, ['tag/for-all']])
      assert.ok((await termsOf(item.id)).includes('tag/for-all') && (await termsOf(put.item.id)).includes('tag/for-all'))
      const failure = await refused('SVC_Content.update-many', { ...many, set: { terms: { remove: ['tag/Nothing'] } } })
      assert.deepEqual([failure.code, failure.field], ['invalid', 'set.terms.remove.0'])
    })

    test('a name without its taxonomy, with a slash in a tree, of several terms or of no length fails in words that help', async () => {
      const fail = (term: string) => refused('SVC_Content.create', post({ terms: [term], terms_create: true }))
      await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'France' })
      await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Spain' })
      for (const parent of ['category/france', 'category/spain'])
        await site.call('SVC_Terms.create', { taxonomy: 'category', name: 'Lakes', parent })
      const rows: readonly (readonly [term: string, words: RegExp])[] = [
        ['Boats', /"To make \\"Boats\\", its taxonomy must be named: category, tag\."/],
        ['colour/Red', /its taxonomy must be named: category, tag/],
        ['category/News/Local', /has a slash, which in a tree.*SVC_Terms\.create/],
        ['category/lakes ', /Several terms have the name.*category\/lakes.*category\/lakes-2/],
        ['tag/  ', /The name of the term is empty/],
        [`tag/${'x'.repeat(300)}`, /at most 200 characters/],
      ]
      const before = [...(await refs('tag')), ...(await refs('category'))]
      for (const [term, words] of rows) {
        const failure = await fail(term)
        assert.deepEqual([failure.code, failure.field], ['invalid', 'terms.0'], term)
        assert.match(JSON.stringify(failure), words)
      }
      const good = await site.call('SVC_Content.create', post({ terms: ['tag/AC/DC'], terms_create: true }))
      assert.deepEqual((await site.call('SVC_Terms.get', { id: good.warnings[0].found[0] })).item.name, 'AC/DC')
      assert.deepEqual(
        [...(await refs('tag')), ...(await refs('category'))].length,
        before.length + 1,
        'the failed calls made none',
      )
    })

    test('a dry run names what it would make, and makes nothing; a call that fails later leaves no term', async () => {
      const input = post({ terms: ['tag/Only tried'], terms_create: true })
      const tried = await site.call('SVC_Content.create', { ...input, dry_run: true })
      assert.deepEqual([codes(tried), tried.activity_id], [['terms_created'], null])
      assert.ok(tried.diff.some(({ field, after }: Input) => field === 'name' && after === 'Only tried'))
      await refused('SVC_Content.create', { ...input, slug: 'admin' })
      assert.ok(!(await refs('tag')).includes('tag/only-tried'))
    })

    test('whoever may not call SVC_Terms.create makes no terms: drafts only, other classes; terms that are there are taken', async () => {
      const drafter = await token({ drafts_only: true })
      const writer = await token({ classes: ['SVC_Content'] })
      for (const [as, words] of [
        [drafter, /Your token is limited in drafts_only, which refuses a new term \(tag\/Made by limits\)/],
        [writer, /The limits of this client refuse a new term \(tag\/Made by limits\)/],
      ] as const) {
        const failure = await refused('SVC_Content.create', post({ terms: ['tag/Made by limits'], terms_create: true }), as)
        assert.equal(failure.code, 'refused')
        assert.match(failure.message, words)
        const plain = await refused('SVC_Content.create', post({ terms: ['tag/Made by limits'] }), as)
        assert.ok(!plain.hint.includes('terms_create'), 'what the limits refuse is not suggested')
        const taken = post({ terms: ['tag/sailing BOATS'], terms_create: true })
        assert.equal((await site.api('SVC_Content.create', taken, { token: as })).json.success, true)
      }
      assert.ok(!(await refs('tag')).includes('tag/made-by-limits'))
    })

    test('a token that asks first for SVC_Terms.create asks first for a write that may make terms, alone and in a batch', async () => {
      const as = await token({ ask: ['SVC_Terms.create'] })
      const one = await waits('SVC_Content.create', post({ terms: ['tag/Asked first'], terms_create: true }), as)
      const calls = [{ action: 'SVC_Content.create', arguments: post({ terms: ['tag/In a batch'], terms_create: true }) }]
      await waits('SVC_API.batch', { calls }, as)
      assert.equal((await site.api('SVC_Content.create', post({ terms: ['tag/berlin'] }), { token: as })).json.success, true)
      assert.ok(!(await refs('tag')).includes('tag/asked-first'))
      assert.equal((await approve(one.id)).success, true)
      assert.ok((await refs('tag')).includes('tag/asked-first'))
    })

    test('two proposed posts that make one term wait together, and one approval makes the term once', async () => {
      const as = await token({ ask: ['*'] })
      const inputs = [post({ terms: ['tag/Shared'], terms_create: true }), post({ terms: ['tag/shared'], terms_create: true })]
      const proposals = []
      for (const input of inputs) proposals.push(await waits('SVC_Content.create', input, as))
      assert.deepEqual([proposals[1]?.id, proposals[1]?.calls], [proposals[0]?.id, 2])
      const again = await waits('SVC_Content.create', inputs[0] as Input, as)
      assert.deepEqual([again.id, again.calls], [proposals[0]?.id, 2], 'the same call again answers what waits')
      const done = await approve(proposals[0]?.id ?? '')
      assert.equal(done.success, true, JSON.stringify(done))
      assert.equal((await refs('tag')).filter((ref) => ref.startsWith('tag/shared')).length, 1)
    })

    test('a term that somebody made since the proposal ends its approval: it would not be what was shown', async () => {
      const as = await token({ ask: ['*'] })
      const { id } = await waits('SVC_Content.create', post({ terms: ['tag/Overtaken'], terms_create: true }), as)
      const { digest } = (await site.call('SVC_Proposals.get', { id })).item
      await site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'Overtaken' })
      const { json } = await site.api('SVC_Proposals.approve', { id, digest })
      assert.deepEqual([json.success, json.error.code], [false, 'conflict'])
    })

    test('writers at the same moment make one term', async () => {
      const write = () => site.call('SVC_Content.create', post({ terms: ['tag/In a race'], terms_create: true }))
      const create = () => site.call('SVC_Terms.create', { taxonomy: 'tag', name: 'In a Race' })
      const answers = await Promise.all([write(), create(), write(), create(), write(), write()])
      assert.equal((await refs('tag')).filter((ref) => ref.startsWith('tag/in-a-race')).length, 1)
      const makers = answers.filter((answer) => codes(answer).includes('terms_created') || answer.changed.length > 0)
      assert.ok(makers.length <= 1)
    })

    test('a batch makes and finds its own terms, renamed and deleted ones too', async () => {
      const { results } = await site.call('SVC_API.batch', {
        calls: [
          { action: 'SVC_Terms.create', arguments: { taxonomy: 'tag', name: 'First name' } },
          { action: 'SVC_Terms.update', arguments: { id: '$0.item.id', name: 'Second name' } },
          { action: 'SVC_Content.create', arguments: post({ terms: ['tag/Second Name'], terms_create: true }) },
          { action: 'SVC_Content.create', arguments: post({ terms: ['tag/First Name'], terms_create: true }) },
          { action: 'SVC_Terms.delete', arguments: { ids: ['$0.item.id'] } },
          { action: 'SVC_Terms.create', arguments: { taxonomy: 'tag', name: 'Second name' } },
        ],
      })
      assert.deepEqual(codes(results[2]), [])
      assert.deepEqual(results[3].warnings[0].found, ['tag/first-name-2'])
      assert.deepEqual([codes(results[5]), results[5].item.ref], [[], 'tag/second-name'])
    })
  })

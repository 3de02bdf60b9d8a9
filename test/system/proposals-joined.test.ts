// Work in steps by a client that asks first: further calls join the proposal that waits, and one approval runs all of them in order,
// on both databases and under races.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { siteDatabases } from '../site-databases.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

type Input = Readonly<Record<string, unknown>>

for (const database of siteDatabases)
  describe(`joined proposals on ${database}`, () => {
    let site: TestSite
    before(async () => {
      site = await openSite({ database })
    })
    after(() => site[Symbol.asyncDispose]())

    let count = 0
    const makeToken = async (limits: Input = { ask: ['*'] }, scope = 'admin') =>
      (await site.call('SVC_Tokens.create', { name: `asks ${++count}`, scope, limits })) as unknown as {
        token: string
        item: { id: string }
      }
    const page = async (body = 'Here.'): Promise<{ id: string; path: string }> =>
      (await site.call('SVC_Content.create', { type: 'page', title: `Page ${++count}`, status: 'published', body })).item
    const entry = async (id: string) => (await site.call('SVC_Content.get', { id })).item
    /** A client that asks first, and what its calls wait in. */
    const openClient = async (limits?: Input, scope?: string) => {
      const { token, item } = await makeToken(limits, scope)
      const send = (call: string, input: Input) => site.api(call, input, { token })
      const waits = async (call: string, input: Input) => {
        const { json, text } = await send(call, input)
        assert.equal(json.data?.pending, true, text)
        return json.data as {
          proposal: { id: string; calls: number; joined: boolean; makes?: { id: string; path: string }[] }
        }
      }
      const refused = async (call: string, input: Input) => {
        const { json, text } = await send(call, input)
        assert.equal(json.success, false, text)
        return json.error
      }
      const waiting = async (): Promise<{ id: string }[]> =>
        (await site.call('SVC_Proposals.list', { where: { state: 'waiting', token: item.id } })).items
      return { token, send, waits, refused, waiting }
    }
    const look = async (id: string) => (await site.call('SVC_Proposals.get', { id })).item
    const approve = async (id: string, digest?: string) =>
      (await site.api('SVC_Proposals.approve', { id, digest: digest ?? (await look(id)).digest })).json
    const approved = async (id: string) => {
      const answer = await approve(id)
      assert.equal(answer.success, true, JSON.stringify(answer))
      return answer.data
    }

    test('a further change joins: the same fields replace, others add, and one approval makes both', async () => {
      const { id, path } = await page()
      const client = await openClient()
      const first = await client.waits('SVC_Content.update', { id, title: 'One', seo: { description: 'Old' } })
      const second = await client.waits('SVC_Content.update', { id: path, title: 'Two', excerpt: 'Added', seo: { title: 'Seo' } })
      assert.deepEqual(
        [second.proposal.id, second.proposal.joined, second.proposal.calls, (await client.waiting()).length],
        [first.proposal.id, true, 1, 1],
      )
      await approved(first.proposal.id)
      const { title, excerpt } = await entry(id)
      const { seo } = (await site.call('SVC_Content.get', { id, select: ['seo'] })).item
      assert.deepEqual([title, excerpt, seo.title, seo.description], ['Two', 'Added', 'Seo', 'Old'])
    })

    test('other actions on the object follow as steps of their own, in order', async () => {
      const { id } = await page('Monday, Tuesday.')
      const client = await openClient()
      const { proposal } = await client.waits('SVC_Content.update', { id, body: 'Friday.' })
      await client.waits('SVC_Content.edit', { id, edits: [{ find: 'Friday', replace: 'Saturday' }] })
      await client.waits('SVC_Content.edit', { id, edits: [{ find: 'Saturday', replace: 'Sunday' }] })
      const last = await client.waits('SVC_Content.unpublish', { id })
      assert.deepEqual([last.proposal.id, last.proposal.calls], [proposal.id, 3])
      const shown = await look(proposal.id)
      assert.deepEqual(
        shown.steps.map((step: { action: string }) => step.action),
        ['SVC_Content.update', 'SVC_Content.edit', 'SVC_Content.unpublish'],
      )
      await approved(proposal.id)
      const done = await entry(id)
      assert.deepEqual([done.status, done.body], ['draft', 'Sunday.'])
    })

    test('a call on an object that only exists in a proposal joins it, by id or path, as target and elsewhere', async () => {
      const client = await openClient()
      const made = await client.waits('SVC_Content.create', { type: 'page', title: `Shop ${++count}`, body: 'Words.' })
      const [shop] = made.proposal.makes ?? []
      assert.ok(shop)
      const { path } = shop
      await client.waits('SVC_Content.edit', { id: shop.id, edits: [{ append: 'More words.' }] })
      await client.waits('SVC_Content.create', { type: 'page', title: 'Below', parent: shop.id })
      await client.waits('SVC_Menus.create', { slug: `m${count}`, name: 'Menu', items: [{ entry: shop.id }] })
      await client.waits('SVC_Content.update', { id: path, excerpt: 'Short.' })
      const last = await client.waits('SVC_Content.publish', { id: path })
      assert.deepEqual([last.proposal.id, last.proposal.calls, (await client.waiting()).length], [made.proposal.id, 6, 1])
      assert.equal(last.proposal.makes?.[0]?.id, shop.id, 'an object keeps the id that was shown first')
      const mine = (await site.api('SVC_Proposals.get', { id: made.proposal.id }, { token: client.token })).json.data.item
      assert.ok(
        mine.diff.some((row: { id: string }) => row.id === shop.id),
        'also where the proposal is looked at',
      )
      await approved(made.proposal.id)
      const done = await entry(path)
      assert.deepEqual([done.status, done.excerpt, done.body], ['published', 'Short.', 'Words.\n\nMore words.'])
      assert.equal((await entry(`${path}/below`)).title, 'Below')
    })

    test('so does a call that needs no approval by itself', async () => {
      const client = await openClient({ ask: ['SVC_Content.create'] })
      const made = await client.waits('SVC_Content.create', { type: 'page', title: `Alone ${++count}` })
      const id = made.proposal.makes?.[0]?.id ?? ''
      const joined = await client.waits('SVC_Content.publish', { id })
      assert.equal(joined.proposal.id, made.proposal.id)
      const { id: other } = await page()
      assert.equal((await client.send('SVC_Content.update', { id: other, excerpt: 'At once' })).json.data.live, true)
    })

    test('an object that is there is meant rather than one of the same name or path in a proposal', async () => {
      const client = await openClient()
      const slug = `same-${++count}`
      const made = await client.waits('SVC_Content.create', { type: 'page', title: slug, slug })
      await site.call('SVC_Menus.create', { slug, name: slug })
      const menu = await client.waits('SVC_Menus.update', { id: slug, name: 'Changed' })
      assert.notEqual(menu.proposal.id, made.proposal.id)
      const there = (await site.call('SVC_Content.create', { type: 'page', title: 'There', slug, status: 'published' })).item
      const other = await client.waits('SVC_Content.update', { id: `/${slug}`, excerpt: 'There' })
      assert.notEqual(other.proposal.id, made.proposal.id)
      await approved(other.proposal.id)
      assert.equal((await entry(there.id)).excerpt, 'There')
      const term = await client.waits('SVC_Terms.create', { taxonomy: 'category', name: slug })
      const page = await client.waits('SVC_Content.create', { type: 'post', title: 'Sorted', terms: [`category/${slug}`] })
      assert.deepEqual([page.proposal.id, page.proposal.joined], [term.proposal.id, true])
      await approved(term.proposal.id)
    })

    test('a batch joins with its own references', async () => {
      const { id } = await page()
      const client = await openClient()
      const { proposal } = await client.waits('SVC_Content.update', { id, title: 'Batched' })
      const calls = [
        { action: 'SVC_Content.create', arguments: { type: 'page', title: `Made ${++count}` } },
        { action: 'SVC_Content.publish', arguments: { id: '$0.item.id' } },
        { action: 'SVC_Content.update', arguments: { id, excerpt: '$0.item.slug' } },
      ]
      const joined = await client.waits('SVC_API.batch', { calls })
      assert.deepEqual([joined.proposal.id, joined.proposal.joined], [proposal.id, true])
      await approved(proposal.id)
      assert.deepEqual([(await entry(`/made-${count}`)).status, (await entry(id)).excerpt], ['published', `made-${count}`])
    })

    test('the same call again answers the one that waits, and once it was replaced it counts anew', async () => {
      const { id } = await page()
      const client = await openClient()
      const create = { type: 'page', title: `Twice ${++count}` }
      const [first, again] = [await client.waits('SVC_Content.create', create), await client.waits('SVC_Content.create', create)]
      assert.deepEqual([again.proposal.id, again.proposal.calls], [first.proposal.id, 1])
      const edit = { id, edits: [{ append: 'Once.' }] }
      const { proposal } = await client.waits('SVC_Content.edit', edit)
      await client.waits('SVC_Content.edit', edit)
      const [one, two] = [
        { id, title: 'One' },
        { id, title: 'Two' },
      ]
      for (const input of [one, two, one]) await client.waits('SVC_Content.update', input)
      await approved(proposal.id)
      const done = await entry(id)
      assert.deepEqual([done.title, done.body], ['One', 'Here.\n\nOnce.'])
      await approved(first.proposal.id)
      const after = await client.waits('SVC_Content.create', create)
      assert.notEqual(after.proposal.id, first.proposal.id, 'what was approved waits no more')
    })

    test('what is out of date is tried anew by the same call, and a further call does not join what would fail', async () => {
      const { id } = await page('Monday.')
      const client = await openClient()
      const edit = { id, edits: [{ find: 'Monday', replace: 'Friday' }] }
      const { proposal } = await client.waits('SVC_Content.edit', edit)
      await site.call('SVC_Content.update', { id, title: 'By somebody' })
      assert.equal((await look(proposal.id)).stale, true)
      assert.equal((await client.waits('SVC_Content.edit', edit)).proposal.id, proposal.id)
      assert.equal((await look(proposal.id)).stale, false)
      await site.call('SVC_Content.update', { id, body: 'Another text.' })
      const other = await client.waits('SVC_Content.update', { id, excerpt: 'Of its own' })
      assert.notEqual(other.proposal.id, proposal.id)
      await approved(other.proposal.id)
    })

    test('a further call that fails after what waits fails in its own words, and what waits stays', async () => {
      const { id } = await page('Monday.')
      const client = await openClient()
      const { proposal } = await client.waits('SVC_Content.update', { id, body: 'Friday.' })
      const { digest } = await look(proposal.id)
      const missing = await client.refused('SVC_Content.edit', { id, edits: [{ find: 'Monday', replace: 'x' }] })
      assert.deepEqual([missing.code, missing.field], ['conflict', 'edits.0.find'])
      const text = await page('Monday.')
      await client.waits('SVC_Content.edit', { id: text.id, edits: [{ find: 'Monday', replace: 'Tuesday' }] })
      const gone = await client.refused('SVC_Content.edit', { id: text.id, edits: [{ find: 'Monday', replace: 'x' }] })
      assert.deepEqual([gone.code, gone.field], ['conflict', 'edits.0.find'])
      assert.match(gone.hint, /after those that wait in your proposal/)
      const wrong = await client.refused('SVC_Content.update', { id, title: '' })
      assert.equal(wrong.code, 'invalid')
      const stale = await client.refused('SVC_Content.update', { id, title: 'x', if_revision: 77 })
      assert.equal(stale.code, 'conflict')
      assert.equal((await look(proposal.id)).digest, digest)
      const { revision } = await entry(id)
      const joined = await client.waits('SVC_Content.update', { id, title: 'Read before', if_revision: revision })
      assert.equal(joined.proposal.id, proposal.id)
      await approved(proposal.id)
    })

    test('what goes into no batch waits by itself, and objects of others or of another token join nothing', async () => {
      const { id } = await page()
      const [client, other] = [await openClient(), await openClient()]
      const { proposal } = await client.waits('SVC_Content.update', { id, title: 'Mine' })
      assert.notEqual((await other.waits('SVC_Content.update', { id, title: 'Theirs' })).proposal.id, proposal.id)
      const { id: elsewhere } = await page()
      assert.notEqual((await client.waits('SVC_Content.update', { id: elsewhere, title: 'x' })).proposal.id, proposal.id)
      await site.call('SVC_Content.delete', { id: elsewhere })
      const destroys = await client.send('SVC_Content.purge', { ids: [elsewhere], expect: 1 })
      assert.ok(destroys.json.data?.pending === true, destroys.text)
      assert.equal((await client.waiting()).length, 3)
    })

    test('attack 149: an approval of what was shown before a call joined is a conflict, and nothing is done', async () => {
      const { id } = await page()
      const client = await openClient()
      const { proposal } = await client.waits('SVC_Content.update', { id, title: 'Shown' })
      const { digest } = await look(proposal.id)
      await client.waits('SVC_Content.unpublish', { id })
      assert.equal((await approve(proposal.id, digest)).error.code, 'conflict')
      assert.deepEqual([(await entry(id)).status, (await look(proposal.id)).state], ['published', 'waiting'])
    })

    test('attack 150: a call joins within the limits of its token, then and now', async () => {
      const post = (await site.call('SVC_Content.create', { type: 'post', title: `Post ${++count}` })).item.id as string
      const client = await openClient({ ask: ['*'], types: ['post'], drafts_only: true }, 'content')
      const { proposal } = await client.waits('SVC_Content.update', { id: post, title: 'Joined' })
      await client.waits('SVC_Content.publish', { id: post })
      const { id } = await page()
      assert.equal((await client.refused('SVC_Content.update', { id, title: 'x' })).code, 'refused')
      const calls = [
        { action: 'SVC_Content.update', arguments: { id: post, excerpt: 'x' } },
        { action: 'SVC_Content.update', arguments: { id, excerpt: 'x' } },
      ]
      assert.equal((await client.refused('SVC_API.batch', { calls })).code, 'refused')
      assert.equal((await look(proposal.id)).calls.length, 2)
      await approved(proposal.id)
      assert.equal((await entry(post)).status, 'published')
    })

    test('under races: two calls at once wait in one proposal, and each of them counts', async () => {
      const { id } = await page()
      const client = await openClient()
      const fields: Input[] = [
        { title: 'Raced' },
        { excerpt: 'Raced' },
        { seo: { description: 'Raced' } },
        { seo: { title: 'Raced' } },
      ]
      const answers = await Promise.all(fields.map((more) => client.waits('SVC_Content.update', { id, ...more })))
      assert.equal(new Set(answers.map(({ proposal }) => proposal.id)).size, 1)
      const create = { type: 'page', title: `Raced ${++count}` }
      const made = await Promise.all([1, 2, 3].map(() => client.waits('SVC_Content.create', create)))
      assert.equal(new Set(made.map(({ proposal }) => proposal.id)).size, 1)
      assert.equal((await client.waiting()).length, 2)
      await approved(answers[0]?.proposal.id ?? '')
      const done = (await site.call('SVC_Content.get', { id, select: ['title', 'excerpt', 'seo'] })).item
      assert.deepEqual([done.title, done.excerpt, done.seo.title, done.seo.description], Array(4).fill('Raced'))
    })

    test('under races: a call joins before an approval or waits by itself after it, and none is lost', async () => {
      for (let round = 0; round < 5; round++) {
        const { id } = await page()
        const client = await openClient()
        const { proposal } = await client.waits('SVC_Content.update', { id, title: `Before ${round}` })
        const { digest } = await look(proposal.id)
        const [answer, joining] = await Promise.all([
          approve(proposal.id, digest),
          client.send('SVC_Content.update', { id, excerpt: 'Joins' }),
        ])
        assert.equal(joining.json.data?.pending, true, joining.text)
        const { proposal: later } = joining.json.data
        if (answer.success) assert.notEqual(later.id, proposal.id)
        else assert.deepEqual([answer.error.code, later.id], ['conflict', proposal.id], JSON.stringify(answer))
        await approved(later.id)
        const done = await entry(id)
        assert.deepEqual([done.title, done.excerpt], [`Before ${round}`, 'Joins'])
      }
    })

    test('under races: so it is when two processes take the calls', async () => {
      await using second = await openSite({ home: site.home, database, ownProcess: true })
      const { id } = await page()
      const client = await openClient()
      const send = (through: TestSite, more: Input) => through.api('SVC_Content.update', { id, ...more }, { token: client.token })
      await until(
        'the token',
        async () => (await second.api('SVC_API.welcome', {}, { token: client.token })).json.data.you.token !== null,
      )
      const fields: Input[] = [{ title: 'Both' }, { excerpt: 'Both' }, { slug: `both-${count}` }, { position: 7 }]
      const answers = await Promise.all(fields.map((more, at) => send(at % 2 === 0 ? site : second, more)))
      const ids = new Set(answers.map(({ json, text }) => json.data?.proposal?.id ?? text))
      assert.equal(ids.size, 1, [...ids].join())
      const [proposal = ''] = ids
      assert.equal((await look(proposal)).calls.length, 1)
      await approved(proposal)
      const done = (await site.call('SVC_Content.get', { id, select: ['title', 'excerpt', 'slug', 'position'] })).item
      assert.deepEqual([done.title, done.excerpt, done.slug, done.position], ['Both', 'Both', `both-${count}`, 7])
    })

    test('under races: what is refused while a call joins waits in a proposal of its own', async () => {
      const { id } = await page()
      const client = await openClient()
      const { proposal } = await client.waits('SVC_Content.update', { id, title: 'Refused' })
      const [, joining] = await Promise.all([
        site.call('SVC_Proposals.reject', { id: proposal.id }),
        client.send('SVC_Content.update', { id, excerpt: 'Stays' }),
      ])
      const [state, later] = [(await look(proposal.id)).state, joining.json.data.proposal.id]
      assert.equal(state, 'rejected')
      const further = await client.waits('SVC_Content.update', { id, excerpt: 'Stays longer' })
      if (later !== proposal.id) assert.equal(further.proposal.id, later)
      else assert.notEqual(further.proposal.id, proposal.id)
    })

    test('a key answers the same proposal, and attack 157: a client that repeats itself fills no list', async () => {
      const { id } = await page()
      const client = await openClient()
      const keyed = { id, title: 'Keyed', idempotency_key: `key-${count}` }
      const [first, again] = [await client.waits('SVC_Content.update', keyed), await client.waits('SVC_Content.update', keyed)]
      assert.equal(first.proposal.id, again.proposal.id)
      for (let turn = 0; turn < 60; turn++) await client.waits('SVC_Content.update', { id, title: `Turn ${turn}` })
      const [{ id: only } = { id: '' }, ...others] = await client.waiting()
      assert.deepEqual([others.length, (await look(only)).calls.length], [0, 1])
    })
  })

// Attacks 149, 150 and 151: what an approval commits is what was shown to whoever approved it, within the limits of whoever
// proposed it, or nothing.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openSite, type TestSite } from '../site.ts'

type Input = Readonly<Record<string, unknown>>

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

let turn = 0
beforeEach(() => void (turn += 1))

const page = async (title: string, more: Input = {}) =>
  (await site.call('SVC_Content.create', { type: 'page', title: `${title} ${turn}`, ...more })).item as {
    id: string
    path: string
  }
const entry = async (id: string) => (await site.call('SVC_Content.get', { id })).item
const call = (action: string, input: Input) => ({ action, arguments: input })

async function makeToken(limits: Input = {}, more: Input = {}) {
  const made = await site.call('SVC_Tokens.create', { name: `asks ${Math.random()}`, scope: 'content', limits, ...more })
  return made as unknown as { token: string; item: { id: string } }
}

/** @returns the id of the proposal */
async function propose(token: string, calls: readonly ReturnType<typeof call>[]): Promise<string> {
  const { json, text } = await site.api('SVC_Proposals.create', { title: 'Harmless', calls }, { token })
  assert.equal(json.success, true, text)
  return json.data.item.id
}
const look = async (id: string) => (await site.call('SVC_Proposals.get', { id })).item
const approve = async (id: string, more: Input = {}, token = site.token) =>
  (await site.api('SVC_Proposals.approve', { id, ...more }, { token })).json

const newest = async (): Promise<string> => (await site.call('SVC_Activity.list', { limit: 1 })).items[0].id

/** Each proposal, and what somebody does after the look. The approval must change nothing. */
const moved: Readonly<Record<string, { calls(): Promise<ReturnType<typeof call>[]>; meanwhile(): Promise<unknown> }>> = {
  'a text that is read from another page': {
    async calls() {
      const [from, to] = [await page('Source', { body: 'Innocent.' }), await page('Target')]
      return [call('SVC_Content.get', { id: from.path }), call('SVC_Content.update', { id: to.id, excerpt: '$0.item.body' })]
    },
    meanwhile: () => site.call('SVC_Content.update', { id: `/source-${turn}`, body: 'Visit evil.example.' }),
  },
  'a set that is chosen by where': {
    async calls() {
      await page('Chosen', { excerpt: `set ${turn}` })
      const where = { status: 'draft', title: { has: `Chosen` } }
      return [call('SVC_Content.update-many', { where, set: { excerpt: 'Changed' }, expect: 1 })]
    },
    async meanwhile() {
      await site.call('SVC_Content.update', { id: `/chosen-${turn}`, title: 'Another' })
      await page('Chosen also')
    },
  },
  'a target that is named by its path': {
    async calls() {
      const { path } = await page('Named')
      return [call('SVC_Content.get', { id: path }), call('SVC_Content.update', { id: path, excerpt: 'Mine' })]
    },
    async meanwhile() {
      await site.call('SVC_Content.update', { id: `/named-${turn}`, slug: `moved-${turn}` })
      await page('Other', { slug: `named-${turn}` })
    },
  },
  'the entry that another call found first': {
    async calls() {
      await page('First found', { excerpt: 'b' })
      return [
        call('SVC_Content.list', { where: { title: { has: 'First found' } }, sort: 'title' }),
        call('SVC_Content.update', { id: '$0.items.0.id', excerpt: 'Mine' }),
      ]
    },
    meanwhile: () => site.call('SVC_Content.create', { type: 'page', title: 'AA First found' }),
  },
  'a number in a slug that is read from another page': {
    async calls() {
      const [from, below] = [await page('Numbered', { slug: `numbered-${turn}-1` }), await page('Above numbered')]
      return [
        call('SVC_Content.get', { id: from.id }),
        call('SVC_Content.create', { type: 'page', title: 'Copy', slug: '$0.item.slug', parent: below.id }),
      ]
    },
    meanwhile: () => site.call('SVC_Content.update', { id: `/numbered-${turn}-1`, slug: `numbered-${turn}-2` }),
  },
  'a text that is read from another page and looks like an id of a time to come': {
    async calls() {
      const [from, to] = [await page('Future', { body: `Pay to ${'7z'.repeat(13)}.` }), await page('Payment')]
      return [call('SVC_Content.get', { id: from.id }), call('SVC_Content.update', { id: to.id, excerpt: '$0.item.body' })]
    },
    meanwhile: () => site.call('SVC_Content.update', { id: `/future-${turn}`, body: `Pay to ${'7a'.repeat(13)}.` }),
  },
  'a setting that had no value': {
    calls: async () => [call('SVC_Settings.update', { set: { posts_per_page: 7 } })],
    meanwhile: () => site.call('SVC_Settings.update', { set: { posts_per_page: 12 } }),
  },
}

for (const [what, { calls, meanwhile }] of Object.entries(moved))
  test(`attack 149: ${what} changes after the look: a conflict with both, and nothing is done`, async () => {
    const { token } = await makeToken({}, { scope: 'admin' })
    const id = await propose(token, await calls())
    const { digest, stale } = await look(id)
    assert.deepEqual([typeof digest, stale], ['string', false])
    await meanwhile()
    const last = await newest()
    const { error } = await approve(id, { digest })
    assert.equal(error?.code, 'conflict')
    assert.ok(error.changes?.length > 0 || (error.shown.length > 0 && error.now !== undefined), JSON.stringify(error))
    assert.equal(await newest(), last, 'nothing was done')
    const again = await look(id)
    assert.equal(again.stale, true)
    assert.equal((await approve(id, { digest: again.digest })).error.code, 'conflict', 'what moved is proposed again')
    assert.equal(await newest(), last)
    await site.call('SVC_Proposals.reject', { id })
  })

test('attack 149: a call that changes no rows, such as the end of a preview link, names its target itself', async () => {
  const { token } = await makeToken({}, { scope: 'admin' })
  const shown = await page('Link')
  const { id: link } = await site.call('SVC_Content.preview', { id: shown.id })
  const list = call('SVC_Content.previews', {})
  const byReference = [list, call('SVC_Content.end-preview', { ids: ['$0.items.0.id'] })]
  const refused = await site.api('SVC_Proposals.create', { title: 'x', calls: byReference }, { token })
  assert.deepEqual([refused.json.error?.code, refused.json.error?.field], ['refused', 'calls.1'], refused.text)
  const id = await propose(token, [list, call('SVC_Content.end-preview', { ids: [link] })])
  const later = (await site.call('SVC_Content.preview', { id: shown.id })).id
  assert.equal((await approve(id, { digest: (await look(id)).digest })).success, true)
  const { items } = await site.call('SVC_Content.previews', {})
  const ids = items.map((one: { id: string; works: boolean }) => one.works && one.id)
  assert.deepEqual([ids.includes(link), ids.includes(later)], [false, true])
})

test('attack 149: what commits is what was shown, row for row: new ids, times, numbered slugs and the author of the proposer', async () => {
  const { item: bob } = await site.call('SVC_Accounts.create', { email: 'bob@example.org', name: 'Bob', role: 'content' })
  const { token } = await makeToken({}, { account: bob.email })
  const title = `Twice ${turn}`
  const calls = [
    call('SVC_Content.create', { type: 'page', title, status: 'published' }),
    call('SVC_Content.create', { type: 'page', title: 'Below', parent: '$0.item.id' }),
    call('SVC_Menus.create', { slug: `menu-${turn}`, name: 'Menu', items: [{ label: 'Out', url: 'https://example.org/' }] }),
  ]
  const id = await propose(token, calls.slice(0, 2))
  // The slug is taken meanwhile: the new page gets another number, and nothing else differs.
  const taken = await page('Twice', { slug: undefined })
  const { digest, diff } = await look(id)
  assert.ok(
    diff.some((row: { field: string; after: unknown }) => row.field === 'author' && row.after === bob.id),
    JSON.stringify(diff),
  )
  const { data, error } = await approve(id, { digest })
  assert.equal(error, undefined, JSON.stringify(error))
  const [first, second] = data.results
  const made = await entry(first.item.id)
  assert.equal(made.author.id ?? made.author, bob.id)
  assert.notEqual(made.path, taken.path)
  assert.equal((await entry(second.item.id)).parent?.id ?? (await entry(second.item.id)).parent, made.id)
  const [revision] = (await site.call('SVC_Content.revisions', { id: made.id, limit: 1 })).items
  assert.deepEqual([revision.by, revision.accepted_by], ['Bob', 'Owner'], 'the history names who proposed and who approved it')
  assert.match(revision.token_name, /^asks/)
})

test('attack 149: the digest is required at every door of release 1, and another one is a conflict', async () => {
  const { token } = await makeToken()
  const { id: target } = await page('Digest')
  const id = await propose(token, [call('SVC_Content.update', { id: target, excerpt: 'Mine' })])
  const without = await approve(id)
  assert.deepEqual([without.error.code, without.error.field], ['invalid', 'digest'])
  assert.equal((await approve(id, { digest: 'of-another' })).error.code, 'conflict')
  assert.equal((await entry(target)).excerpt ?? null, null)
  const { digest } = await look(id)
  assert.equal((await approve(id, { digest })).success, true)
  await using old = await openSite({ env: { POSTERN_COMPAT: '0.11' } })
  const asks = (await old.call('SVC_Tokens.create', { name: 'asks', scope: 'content', limits: { ask: ['*'] } })).token as string
  const waits = await old.api('SVC_Content.create', { type: 'page', title: 'Old' }, { token: asks })
  const done = await old.api('SVC_Proposals.approve', { id: waits.json.data.proposal.id })
  assert.equal(done.json.success, true, done.text)
})

test('attack 149: a proposal of the release before is tried anew and shown before it can be approved', async () => {
  const { token } = await makeToken()
  const { id: target } = await page('Older')
  const id = await propose(token, [call('SVC_Content.update', { id: target, excerpt: 'Mine' })])
  await editRows(site.home, 'update proposal set changes = null, digest = null, proposer = null')
  assert.equal((await approve(id)).error.field, 'digest')
  const shown = await look(id)
  assert.equal(typeof shown.digest, 'string')
  assert.equal((await approve(id, { digest: 'guessed' })).error.code, 'conflict')
  assert.equal((await approve(id, { digest: shown.digest })).success, true)
  assert.equal((await entry(target)).excerpt, 'Mine')
})

test('attack 149: of two approvals at once one runs, and a text that looks like a reference stays what it was', async () => {
  const { token } = await makeToken({ ask: ['*'] })
  const { id: target } = await page('Race')
  const waits = await site.api('SVC_Content.update', { id: target, excerpt: '$0.item.id' }, { token })
  const { id } = waits.json.data.proposal
  const { digest } = await look(id)
  const answers = await Promise.all([approve(id, { digest }), approve(id, { digest }), approve(id, { digest })])
  assert.equal(answers.filter(({ success }) => success).length, 1, JSON.stringify(answers))
  assert.equal((await entry(target)).excerpt, '$0.item.id')
})

const limitsRows: Readonly<Record<string, { limits: Input; calls: () => Promise<ReturnType<typeof call>[]> }>> = {
  'of another type': {
    limits: { types: ['post'] },
    calls: async () => [call('SVC_Content.publish', { id: (await page('Typed')).id })],
  },
  'of another class': {
    limits: { classes: ['SVC_Terms', 'SVC_Proposals'] },
    calls: async () => [call('SVC_Content.update', { id: (await page('Classed')).id, excerpt: 'x' })],
  },
}
for (const [what, { limits, calls }] of Object.entries(limitsRows)) {
  test(`attack 150: a limited token can not propose to change what is ${what}`, async () => {
    const { token } = await makeToken(limits)
    const { json } = await site.api('SVC_Proposals.create', { title: 'x', calls: await calls() }, { token })
    assert.match(json.error?.code, /^(?:refused|unknown_action)$/, JSON.stringify(json))
  })
  test(`attack 150: limits that came after the proposal hold as well: nothing is changed that is ${what}`, async () => {
    const { token, item } = await makeToken()
    const id = await propose(token, await calls())
    const { digest } = await look(id)
    await site.call('SVC_Tokens.update', { id: item.id, limits })
    const last = await newest()
    const { error } = await approve(id, { digest })
    assert.match(error?.code, /^(?:refused|unknown_action)$/, JSON.stringify(error))
    assert.equal(await newest(), last)
  })
}

test('attack 150: a posts-only token publishes no page of the owner by where', async () => {
  const { token } = await makeToken({ types: ['post'] })
  const { item: post } = await site.call('SVC_Content.create', { type: 'post', title: 'Its post', excerpt: 'batch of one' })
  const where = { excerpt: { eq: 'batch of one' } }
  const tried = await site.api('SVC_Content.list', { where })
  const chosen = tried.json.success ? where : { title: { has: 'Its post' } }
  const id = await propose(token, [
    call('SVC_Content.list', { where: chosen, sort: 'title' }),
    call('SVC_Content.publish', { id: '$0.items.0.id' }),
  ])
  const { digest } = await look(id)
  const { item: mine } = await site.call('SVC_Content.create', {
    type: 'page',
    title: 'A draft: not Its post',
    excerpt: 'batch of one',
  })
  const { error } = await approve(id, { digest })
  assert.match(error?.code, /^(?:refused|conflict)$/)
  assert.deepEqual([(await entry(mine.id)).status, (await entry(post.id)).status], ['draft', 'draft'])
})

test('attack 150: drafts_only says when: a proposal may publish the version that was shown, and change nothing else of the site', async () => {
  const { token } = await makeToken({ drafts_only: true })
  const { id: target } = await page('Draft', { body: 'Shown.' })
  assert.equal((await site.api('SVC_Content.publish', { id: target }, { token })).json.error.code, 'refused')
  const id = await propose(token, [call('SVC_Content.publish', { id: target })])
  const { digest } = await look(id)
  await site.call('SVC_Content.update', { id: target, body: 'Not shown.' })
  assert.equal((await approve(id, { digest })).error.code, 'conflict')
  const again = await propose(token, [call('SVC_Content.publish', { id: target })])
  assert.equal((await approve(again, { digest: (await look(again)).digest })).success, true)
  assert.equal((await entry(target)).status, 'published')
  const terms = call('SVC_Menus.create', { slug: 'mine', name: 'Mine' })
  const { token: all } = await makeToken({ drafts_only: true }, { scope: 'admin' })
  const other = await site.api('SVC_Proposals.create', { title: 'x', calls: [terms] }, { token: all })
  assert.equal(other.json.error?.code, 'refused', other.text)
})

test('attack 150: drafts_only is lifted for exactly the staged version that was shown, and for no type that the limits refuse', async () => {
  const { token } = await makeToken({ drafts_only: true, types: ['page'] })
  const { id: target } = await page('Live', { body: 'Old.', status: 'published' })
  const stage = (body: string) => site.api('SVC_Content.update', { id: target, body }, { token })
  assert.equal(
    (await stage('Shown.')).json.data.waits.next,
    `SVC_Content.get {"id": "${target}", "select": ["status", "staged"]}`,
  )
  const id = await propose(token, [call('SVC_Content.publish', { id: target })])
  const { digest } = await look(id)
  await stage('Not shown.')
  assert.equal((await approve(id, { digest })).error.code, 'conflict')
  assert.equal((await entry(target)).body, 'Old.')
  const again = await propose(token, [call('SVC_Content.publish', { id: target })])
  assert.equal((await approve(again, { digest: (await look(again)).digest })).success, true)
  assert.equal((await entry(target)).body, 'Not shown.')
  const { item: post } = await site.call('SVC_Content.create', { type: 'post', title: `Of another type ${turn}` })
  const calls = [call('SVC_Content.publish', { id: post.id })]
  const other = await site.api('SVC_Proposals.create', { title: 'x', calls }, { token })
  assert.deepEqual([other.json.error.code, other.json.error.rule], ['refused', 'token limit types'])
})

test('attack 150: an approver with limits approves nothing, and its limits are told instead of a way around them', async () => {
  const { token } = await makeToken()
  const { id: target } = await page('Approver')
  const id = await propose(token, [call('SVC_Content.update', { id: target, excerpt: 'x' })])
  const { digest } = await look(id)
  for (const limits of [
    { types: ['page'] },
    { drafts_only: true },
    { classes: ['SVC_Proposals', 'SVC_Content'] },
    { ask: ['SVC_Menus.*'] },
  ]) {
    const { token: approver } = await makeToken(limits, { scope: 'admin' })
    const { error } = await approve(id, { digest }, approver)
    assert.deepEqual([error.code, error.hint.startsWith('Do what your limits allow')], ['refused', true], JSON.stringify(error))
  }
  assert.equal((await look(id)).state, 'waiting')
})

test('attack 150: a contributor’s proposal publishes an entry of their own, as theirs', async () => {
  const { item: eve } = await site.call('SVC_Accounts.create', { email: 'eve@example.org', name: 'Eve', role: 'contributor' })
  const { token } = await makeToken({}, { account: eve.email })
  const foreign = await page('Foreign')
  const calls = [call('SVC_Content.publish', { id: foreign.id })]
  assert.equal((await site.api('SVC_Proposals.create', { title: 'x', calls }, { token })).json.error.code, 'refused')
  const id = await propose(token, [call('SVC_Content.create', { type: 'page', title: 'Own', status: 'published' })])
  const { data, error } = await approve(id, { digest: (await look(id)).digest })
  assert.equal(error, undefined, JSON.stringify(error))
  const made = await entry(data.results[0].item.id)
  assert.equal(made.author.id ?? made.author, eve.id)
})

test('attack 150: the proposal of a token that has ended waits marked so, and only a person approves it', async () => {
  const { token, item } = await makeToken()
  const { id: target } = await page('Ended')
  const id = await propose(token, [call('SVC_Content.update', { id: target, excerpt: 'Mine' })])
  assert.equal((await look(id)).ended, false)
  await site.call('SVC_Tokens.revoke', { id: item.id, expect: 1 })
  const listed = (await site.call('SVC_Proposals.list', { where: { state: 'waiting' }, limit: 100 })).items
  assert.equal(listed.find((one: { id: string }) => one.id === id).ended, true)
  const { digest, ended } = await look(id)
  assert.equal(ended, true)
  assert.equal((await approve(id, { digest })).error.code, 'refused')
  const shown = await owner.open(`/admin/approvals?id=${id}`)
  assert.match(shown.text, /Its proposer no longer has access:/)
  const done = await owner.submit(shown.form('/admin/approvals'), { decide: 'approve' })
  assert.equal(done.status, 303, done.text)
  assert.equal((await entry(target)).excerpt, 'Mine')
})

test('attack 150: so does that of an account that is gone: its entries get the author that was shown', async () => {
  const { item: ann } = await site.call('SVC_Accounts.create', { email: 'ann@example.org', name: 'Ann', role: 'content' })
  const { token } = await makeToken({}, { account: ann.email })
  const id = await propose(token, [call('SVC_Content.create', { type: 'page', title: 'Of Ann' })])
  await site.call('SVC_Accounts.delete', { id: ann.id, give_to: 'owner@example.org', expect: 1 }).catch(async () => {
    const [first] = (await site.call('SVC_Accounts.list', {})).items
    await site.call('SVC_Accounts.delete', { id: ann.id, give_to: first.id, expect: 1 })
  })
  const shown = await owner.open(`/admin/approvals?id=${id}`)
  assert.equal((await owner.submit(shown.form('/admin/approvals'), { decide: 'approve' })).status, 303)
  assert.notEqual((await entry('/of-ann')).author?.id ?? (await entry('/of-ann')).author, ann.id)
})

test('attack 151: without the call that another refers to, nothing runs; the others keep their places', async () => {
  const { token } = await makeToken()
  const [a, b] = [await page('Left'), await page('Right')]
  const id = await propose(token, [
    call('SVC_Content.get', { id: a.id }),
    call('SVC_Content.get', { id: b.id }),
    call('SVC_Content.update', { id: '$1.item.id', excerpt: 'Mine' }),
  ])
  const { digest } = await look(id)
  for (const only of [[2], [0, 2], [9]]) {
    const { error } = await approve(id, { digest, only })
    assert.deepEqual([error.code, error.field], ['invalid', 'only'], JSON.stringify(error))
  }
  const { data, error } = await approve(id, { digest, only: [1, 2] })
  assert.equal(error, undefined, JSON.stringify(error))
  assert.deepEqual([data.results.length, data.results[0]], [3, null])
  assert.deepEqual([(await entry(a.id)).excerpt ?? null, (await entry(b.id)).excerpt], [null, 'Mine'])
})

test('attack 151: a page that is sent with no box ticked runs nothing and says so', async () => {
  const { token } = await makeToken()
  const id = await propose(token, [
    call('SVC_Content.create', { type: 'page', title: `Box ${turn}` }),
    call('SVC_Content.create', { type: 'page', title: `Tick ${turn}` }),
  ])
  const shown = await owner.open(`/admin/approvals?id=${id}`)
  const form = shown.form('/admin/approvals')
  const { only: _, ...fields } = form.fields
  const last = await newest()
  const answer = await owner.submit({ ...form, fields }, { decide: 'approve' })
  assert.equal(answer.status, 422)
  assert.match(answer.text, /First select what to do\. Nothing was done\./)
  assert.doesNotMatch(answer.text, /name="only"[^>]*checked/, 'what was chosen stays')
  assert.equal(await newest(), last)
})

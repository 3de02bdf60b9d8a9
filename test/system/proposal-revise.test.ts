// A proposal that somebody makes of another one: it is tried and shown again, the first one is closed, what commits is what was last
// shown, and the work stays under the name of whoever proposed it first. On both databases.

import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { siteDatabases } from '../site-databases.ts'
import { openSite, type TestSite } from '../site.ts'

type Input = Readonly<Record<string, unknown>>

for (const database of siteDatabases)
  describe(`revised proposals on ${database}`, () => {
    let site: TestSite
    let owner: Visitor
    /** Another token of the owner: none approves what it has proposed. */
    let approver: string
    before(async () => {
      site = await openSite({ database })
      owner = openVisitor(site)
      await owner.signIn()
      approver = (await makeToken({}, {})).token
    })
    after(() => site[Symbol.asyncDispose]())

    let count = 0
    const call = (action: string, given: Input) => ({ action, arguments: given })
    const makeToken = async (limits: Input = { ask: ['*'] }, more: Input = {}) =>
      (await site.call('SVC_Tokens.create', { name: `Helper ${++count}`, scope: 'admin', limits, ...more })) as unknown as {
        token: string
        item: { id: string; name: string }
      }
    const page = async (body = 'Here.'): Promise<{ id: string; path: string }> =>
      (await site.call('SVC_Content.create', { type: 'page', title: `Page ${++count}`, status: 'published', body })).item
    const entry = async (id: string) => (await site.call('SVC_Content.get', { id })).item
    const waits = async (token: string, action: string, input: Input): Promise<string> => {
      const { json, text } = await site.api(action, { ...input }, { token })
      assert.equal(json.data?.pending, true, text)
      return json.data.proposal.id
    }
    const propose = (token: string, calls: readonly object[]): Promise<string> => waits(token, 'SVC_API.batch', { calls })
    /** Sends the form that changes a proposal, with these boxes ticked and these texts. */
    const change = async (
      id: string,
      keep: readonly string[],
      texts: Readonly<Record<string, string>> = {},
      meanwhile = async () => {},
    ) => {
      const { fields } = (await owner.open(`/admin/approvals?id=${id}&change=yes`)).form('/admin/approvals')
      await meanwhile()
      const body = new URLSearchParams(Object.entries({ ...fields, ...texts }).filter(([name]) => !name.startsWith('keep.')))
      for (const one of keep) body.append(`keep.${one}`, 'yes')
      const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { cookie, 'sec-fetch-site': 'same-origin' }
      const answer = await fetch(`${site.base}/admin/approvals`, { method: 'POST', headers, body, redirect: 'manual' })
      return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') ?? '' }
    }
    const look = async (id: string) => (await site.call('SVC_Proposals.get', { id })).item
    const revise = async (id: string, calls: readonly object[], more: Input = {}, token = site.token) =>
      (await site.api('SVC_Proposals.revise', { id, calls, ...more }, { token })).json
    const approve = async (id: string, more: Input = {}, by = approver) =>
      (await site.api('SVC_Proposals.approve', { id, ...more }, { token: by })).json
    const newest = async () => (await site.call('SVC_Activity.list', { limit: 1 })).items[0].id

    test('the first one is closed and names the second, its proposer reads why, and nothing is done yet', async () => {
      const { token } = await makeToken()
      const { id } = await page('Old.')
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.', title: 'Their title' })
      const { data, error } = await revise(first, [call('SVC_Content.update', { id, body: 'Mine.' })], { note: 'Not the title.' })
      assert.equal(error, undefined, JSON.stringify(error))
      assert.deepEqual([data.item.state, data.item.replaces, data.item.by], ['waiting', first, 'Owner'])
      const seen = (await site.api('SVC_Proposals.get', { id: first }, { token })).json.data.item
      assert.deepEqual([seen.state, seen.replaced_by, seen.answer], ['replaced', data.item.id, 'Not the title.'])
      assert.equal((await entry(id)).body, 'Old.')
      for (const more of [{}, { digest: seen.digest }]) assert.equal((await approve(first, more)).error.code, 'refused')
      assert.equal((await revise(first, [call('SVC_Content.update', { id, body: 'Again.' })])).error.code, 'refused')
      assert.equal((await entry(id)).body, 'Old.')
    })

    test('attack 149: what commits is what was last shown: with the digest of the first one, and after a change, nothing does', async () => {
      const { token } = await makeToken()
      const { id } = await page('Old.')
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.' })
      const { digest: ofFirst } = await look(first)
      const { data } = await revise(first, [call('SVC_Content.update', { id, body: 'Mine.' })])
      const second = data.item.id
      assert.equal((await approve(second)).error.field, 'digest')
      assert.equal((await approve(second, { digest: ofFirst })).error.code, 'conflict')
      const { digest } = await look(second)
      await site.call('SVC_Content.update', { id, title: 'Moved' })
      assert.equal((await approve(second, { digest })).error.code, 'conflict')
      assert.equal((await entry(id)).body, 'Old.')
      const { data: again } = await revise(second, [call('SVC_Content.update', { id, body: 'Mine.' })], {}, approver)
      const shown = await look(again.item.id)
      assert.deepEqual(
        shown.diff.map((row: { field: string; after: string }) => [row.field, row.after]),
        [['body', 'Mine.']],
      )
      const done = await approve(again.item.id, { digest: shown.digest }, site.token)
      assert.equal(done.success, true, JSON.stringify(done))
      assert.equal((await entry(id)).body, 'Mine.')
    })

    test('attack 149: a further call that joined the first one meanwhile is neither lost nor accepted unseen', async () => {
      const { token } = await makeToken()
      const { id } = await page()
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.' })
      let last = ''
      const answer = await change(first, ['0', '0.body'], { '0.body': 'Mine.' }, async () => {
        await waits(token, 'SVC_Content.update', { id, excerpt: 'Later' })
        last = await newest()
      })
      assert.equal(answer.status, 409, answer.text)
      assert.match(answer.text, /Mine\./, 'the words that were written stay')
      assert.equal(await newest(), last)
      assert.equal((await look(first)).state, 'waiting')
    })

    test('attack 149: of two versions at once, one closes the first proposal', async () => {
      const { token } = await makeToken()
      const { id } = await page()
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.' })
      const calls = (body: string) => [call('SVC_Content.update', { id, body })]
      const answers = await Promise.all(['One.', 'Two.', 'Three.'].map((body) => revise(first, calls(body))))
      assert.equal(answers.filter(({ success }) => success).length, 1, JSON.stringify(answers))
      const { items } = await site.call('SVC_Proposals.list', { where: { state: 'waiting' } })
      assert.equal(items.filter((one: { replaces: string }) => one.replaces === first).length, 1)
    })

    test('attack 150: only who may approve may make another one: no reader, no editor, no token with limits, not its proposer', async () => {
      const { token } = await makeToken()
      const { id } = await page('Old.')
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.' })
      const calls = [call('SVC_Content.update', { id, body: 'Worse.' })]
      const rows: readonly (readonly [Input, Input])[] = [
        [{}, { scope: 'content' }],
        [{}, { scope: 'read' }],
        [{ types: ['page'] }, {}],
        [{ drafts_only: true }, {}],
        [{ ask: ['SVC_Menus.*'] }, {}],
        [{ ask: ['*'] }, {}],
      ]
      for (const [limits, more] of rows) {
        const other = await makeToken(limits, more)
        const { error } = await revise(first, calls, {}, other.token)
        assert.match(String(error?.code), /^(?:refused|unknown_action)$/, JSON.stringify([limits, more]))
      }
      assert.match(String((await revise(first, calls, {}, token)).error?.code), /refused/)
      assert.equal((await look(first)).state, 'waiting')
    })

    test('attack 150: the version of a proposer that has ended is made by a person alone', async () => {
      const { token, item } = await makeToken()
      const { id } = await page('Old.')
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.' })
      await site.call('SVC_Tokens.revoke', { id: item.id, expect: 1 })
      assert.equal((await revise(first, [call('SVC_Content.update', { id, body: 'Mine.' })])).error.code, 'refused')
      const made = await change(first, ['0', '0.body'], { '0.body': 'Mine.' })
      assert.equal(made.status, 303, made.text)
      const shown = await owner.open(made.location)
      assert.doesNotMatch(shown.text, /Its proposer no longer has access/)
      assert.equal((await owner.submit(shown.form('/admin/approvals'), { decide: 'approve' })).status, 303)
      assert.equal((await entry(id)).body, 'Mine.')
    })

    test('attack 151: leaving out a step that another one needs runs nothing and says so; so does leaving out all', async () => {
      const { token } = await makeToken()
      const first = await propose(token, [
        call('SVC_Content.create', { type: 'page', title: `Above ${++count}` }),
        call('SVC_Content.create', { type: 'page', title: 'Below', parent: '$0.item.id' }),
      ])
      const last = await newest()
      const needed = await change(first, ['1'])
      assert.match(needed.text, /Step 2 needs step 1, which is left out\./)
      const empty = await change(first, [])
      assert.match(empty.text, /First select what to do\. Nothing was done\./)
      assert.deepEqual([needed.status, empty.status, await newest()], [422, 422, last])
      const part = await owner.submit((await owner.open(`/admin/approvals?id=${first}`)).form('/admin/approvals'), {
        decide: 'approve',
        only: '1',
      })
      assert.match(part.text, /Step 2 needs step 1/)
      assert.equal((await look(first)).state, 'waiting')
    })

    test('attack 69: a version without its token, or sent by another session, is made by nobody', async () => {
      const { token } = await makeToken()
      const { id } = await page()
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.' })
      const form = (await owner.open(`/admin/approvals?id=${first}&change=yes`)).form('/admin/approvals')
      assert.equal((await owner.submit({ ...form, fields: { ...form.fields, csrf: '' } })).status, 403)
      assert.equal((await openVisitor(site).submit(form)).status, 403)
      assert.equal((await look(first)).state, 'waiting')
    })

    test('a version that would fail is not made, and its page says why with what was written', async () => {
      const { token } = await makeToken()
      const { id } = await page()
      const first = await waits(token, 'SVC_Content.update', { id, title: 'Good' })
      const answer = await change(first, ['0', '0.title'], { '0.title': ' ' })
      assert.ok(answer.status >= 400 && answer.status < 500, String(answer.status))
      assert.match(answer.text, /name="keep\.0"[^>]*checked/)
      assert.equal((await look(first)).state, 'waiting')
    })

    test('activity, revisions and a conflict name the same author; the work of a token is undone in one go, accepted work too', async () => {
      const { token, item } = await makeToken()
      const { id } = await page('Old.')
      const since = new Date(Date.now() - 1000).toISOString()
      const first = await waits(token, 'SVC_Content.update', { id, body: 'Theirs.', excerpt: 'Theirs' })
      const { data } = await revise(first, [call('SVC_Content.update', { id, body: 'Edited.' })])
      const done = await approve(data.item.id, { digest: (await look(data.item.id)).digest })
      assert.equal(done.success, true, JSON.stringify(done))
      const other = await waits(token, 'SVC_Content.create', { type: 'page', title: `Own ${++count}`, status: 'published' })
      const made = await approve(other, { digest: (await look(other)).digest })
      const path = made.data.results[0].item.path as string

      const author = [item.name, 'Owner', 'Owner']
      const [revision] = (await site.call('SVC_Content.revisions', { id, limit: 1 })).items
      assert.deepEqual([revision.token_name, revision.by, revision.accepted_by], author)
      const { items } = await site.call('SVC_Activity.list', { where: { token: item.id, call: 'SVC_Proposals.approve' } })
      assert.equal(items.length, 2)
      for (const one of items) assert.deepEqual([one.token_name, one.by, one.accepted_by], author)
      const stale = await site.api('SVC_Content.update', { id, title: 'x', if_revision: 1 })
      assert.match(stale.text, new RegExp(`with the token \\\\"${item.name}\\\\" changed this .*, accepted by Owner`))
      const accepted = await site.call('SVC_Activity.list', { where: { accepted_by: 'owner@example.org' }, search: 'Runs' })
      assert.ok(accepted.items.length >= 2)

      await site.call('SVC_Activity.undo', { since, token: item.id })
      assert.equal((await entry(id)).body, 'Old.')
      assert.equal((await site.send(path, { token: null })).status, 404)
    })

    test('a batch that changes an entry twice names its author at both revisions; below admin nobody learns a token’s name', async () => {
      const { token, item } = await makeToken()
      const { id } = await page('Old.')
      const first = await propose(token, [
        call('SVC_Content.update', { id, body: 'One.' }),
        call('SVC_Content.edit', { id, edits: [{ find: 'One', replace: 'Two' }] }),
      ])
      assert.equal((await approve(first, { digest: (await look(first)).digest })).success, true)
      const { items } = await site.call('SVC_Content.revisions', { id })
      assert.deepEqual(
        items.map((one: { token_name: string | null }) => one.token_name),
        [item.name, item.name, 'test'],
      )
      const reader = await makeToken({}, { scope: 'read' })
      const read = await site.api('SVC_Content.revisions', { id }, { token: reader.token })
      assert.doesNotMatch(read.text, new RegExp(item.name))
    })
  })

// Approvals in the admin: what waits shows in the title and the navigation, with its differences, and is accepted or refused by a form.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
let asking: string
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
  await site.call('SVC_Content.create', {
    type: 'page',
    title: 'Hours',
    status: 'published',
    body: 'Open.\n\nMondays <b>nine</b>.',
  })
  const made = await site.call('SVC_Tokens.create', { name: 'Helper', scope: 'content', limits: { ask: ['*'] } })
  asking = (made as { token: string }).token
})
after(() => site[Symbol.asyncDispose]())

async function propose(replace: string): Promise<string> {
  const edits = [{ find: 'nine', replace }]
  const { json, text } = await site.api('SVC_Content.edit', { id: '/hours', edits }, { token: asking })
  assert.equal(json.data?.pending, true, text)
  return json.data.proposal.id as string
}

test('a proposal is counted, shown with what it changes, and accepted', async () => {
  const empty = await owner.open('/admin/approvals')
  assert.match(empty.text, /Nothing is waiting for you/)
  const id = await propose('ten')
  const home = await owner.open('/admin/')
  assert.match(home.text, /<title>\(1\) Home/)
  assert.match(home.text, new RegExp(`id=${id}">Change the text of “Hours”</a>`))
  const list = await owner.open('/admin/approvals')
  assert.match(
    list.text,
    new RegExp(`href="/admin/approvals\\?id=${id}">Change the text of “Hours”</a>`),
    'it is called by the title, not the path that was given',
  )
  const page = await owner.open(`/admin/approvals?id=${id}`)
  assert.match(page.text, /Mondays &lt;b&gt;<del>nine<\/del>/)
  assert.match(page.text, /<ins>ten<\/ins>/)
  const german = { 'accept-language': 'de' }
  assert.match((await owner.open('/admin/approvals', german)).text, /">Text von „Hours“ ändern<\/a>/)
  assert.match((await owner.open(`/admin/approvals?id=${id}`, german)).text, /<h1>Text von „Hours“ ändern<\/h1>/)
  const done = await owner.submit(page.form('/admin/approvals'), { decide: 'approve', note: 'Thank you.' })
  assert.equal(done.status, 303, done.text)
  assert.match((await owner.open(done.location)).text, /href="[^"]*\/hours">See the page</, 'the page is one click away')
  assert.match((await site.call('SVC_Content.get', { id: '/hours' })).item.body, /ten/)
  assert.match((await owner.open('/admin/approvals?state=approved')).text, /Helper/)
  assert.match((await owner.open(`/admin/approvals?id=${id}`)).text, /“Thank you\.”/)
  await site.call('SVC_Content.edit', { id: '/hours', edits: [{ find: 'ten', replace: 'nine' }] })
})

test('a proposal is refused with a note, and one that is out of date says so and is not run', async () => {
  const refused = await propose('eleven')
  const form = (await owner.open(`/admin/approvals?id=${refused}`)).form('/admin/approvals')
  assert.equal((await owner.submit(form, { decide: 'reject', note: 'Too late.' })).status, 303)
  const late = await propose('twelve')
  await site.call('SVC_Content.update', { id: '/hours', title: 'Opening hours' })
  const page = await owner.open(`/admin/approvals?id=${late}`)
  assert.match(page.text, /This is out of date/)
  const answer = await owner.submit(page.form('/admin/approvals'), { decide: 'approve', note: 'My words' })
  assert.equal(answer.status, 409)
  assert.ok(answer.text.includes('My words'), 'what was written stays')
  assert.match((await site.call('SVC_Content.get', { id: '/hours' })).item.body, /nine/)
})

test('several are accepted with one note; those that are out of date wait on and are named', async () => {
  for (const title of ['First', 'Second', 'Third'])
    await site.call('SVC_Content.create', { type: 'page', title, status: 'published', body: 'Words' })
  const ids: string[] = []
  for (const path of ['/first', '/second', '/third']) {
    const { json } = await site.api('SVC_Content.update', { id: path, excerpt: 'Proposed' }, { token: asking })
    ids.push(json.data.proposal.id)
  }
  await site.call('SVC_Content.update', { id: '/second', title: 'Second, changed' })
  const selected = async (chosen: readonly string[], decide: string) => {
    const { fields } = (await owner.open('/admin/approvals')).form('/admin/approvals')
    const first = await post([
      ['csrf', fields['csrf'] ?? ''],
      ['decide', decide],
      ['note', 'Well done.'],
      ...chosen.map((id) => ['ids', id] as const),
    ])
    const shown = first.text.split('<form').find((form) => form.includes('name="shown"'))
    if (shown === undefined) return first
    // Before they are accepted, a page shows what all of them change.
    assert.equal(first.text.match(/<ins>Proposed<\/ins>/g)?.length, chosen.length)
    const hidden = [...shown.matchAll(/type="hidden"\s+name="([^"]*)"\s+value="([^"]*)"/g)]
    return post([['decide', 'approve'], ...hidden.map(([, name = '', value = '']) => [name, value] as const)])
  }
  const post = async (pairs: readonly (readonly [string, string])[]) => {
    const body = new URLSearchParams()
    for (const [name, value] of pairs) body.append(name, value)
    const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await fetch(`${site.base}/admin/approvals`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body,
      redirect: 'manual',
    })
    return { status: answer.status, text: await answer.text() }
  }
  assert.match((await selected([], 'approve')).text, /First select the proposals to decide on/)
  const partly = await selected(ids.slice(0, 2), 'approve')
  assert.equal(partly.status, 409)
  assert.match(partly.text, /Decided: 1\. Not possible: Change “Second”: What the calls change has changed/)
  assert.ok(partly.text.includes('Well done.'), 'what was written stays')
  const all = await owner.open('/admin/approvals?all=yes')
  assert.ok(all.text.match(/name="ids"[^>]*checked/g)?.length === (all.text.match(/name="ids"/g) ?? []).length)
  assert.equal((await selected(ids.slice(1), 'reject')).status, 303)
  const states = await Promise.all(ids.map(async (id) => (await site.call('SVC_Proposals.get', { id })).item))
  assert.deepEqual(
    states.map(({ state, answer }: any) => [state, answer]),
    ['approved', 'rejected', 'rejected'].map((state) => [state, 'Well done.']),
  )
  assert.equal((await site.call('SVC_Content.get', { id: '/first' })).item.excerpt, 'Proposed')
})

test('attack 69: a form without its token, or of another session, decides nothing', async () => {
  const id = await propose('thirteen')
  const form = (await owner.open(`/admin/approvals?id=${id}`)).form('/admin/approvals')
  assert.equal((await owner.submit({ ...form, fields: { ...form.fields, csrf: '' } }, { decide: 'approve' })).status, 403)
  assert.equal((await openVisitor(site).submit(form, { decide: 'approve' })).status, 403)
  assert.match((await site.call('SVC_Content.get', { id: '/hours' })).item.body, /nine/)
})

// Connecting an assistant, tokens and apps, and people, on the pages of the admin, without script.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { clientName, clients, forSite } from '../../src/admin/connections/clients.ts'
import { presets } from '../../src/admin/connections/presets.ts'
import { wordsOf } from '../../src/admin/words.ts'
import { documents } from '../../src/docs/index.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword, type Page, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, exchangeForm, makeProof, postForm, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

async function connectApp(scope: string): Promise<string> {
  const id = await register(site, { client_name: 'Claude' })
  const { verifier, challenge } = makeProof()
  const page = await owner.open(authorizeUrl(site.base, id, { code_challenge: challenge }).href)
  const { location } = await owner.submit(page.form('/oauth/consent'), { answer: 'allow', scope })
  const code = new URL(location).searchParams.get('code') ?? ''
  return (await postForm(site, '/oauth/token', exchangeForm(code, id, verifier))).json.access_token as string
}

test('the page has the address and what each client needs, and says when one has arrived', async () => {
  const page = await owner.open('/admin/connect')
  const text = page.text.replaceAll('&quot;', '"')
  for (const client of clients) {
    const { copy } = client
    assert.ok(text.includes(clientName(wordsOf(undefined), client)), client.id)
    if (copy) assert.ok(text.includes(forSite(copy.text, `${site.base}/mcp/`)), copy.text)
  }
  assert.match(page.text, /No assistant has connected/)
  const [, again = ''] = /href="([^"]+)">Look again/.exec(page.text) ?? []
  const [, json = ''] = /data-arrivals="([^"]+)"/.exec(page.text) ?? []
  const token = { 'x-csrf': /data-csrf="([^"]+)"/.exec(page.text)?.[1] ?? '' }
  assert.deepEqual(JSON.parse((await owner.open(json, token)).text), { arrived: [] })
  await connectApp('content')
  assert.match((await owner.open(again)).text, /“Claude” at localhost<\/a> is connected/)
  const { arrived } = JSON.parse((await owner.open(json, token)).text) as { arrived: { name: string }[] }
  assert.deepEqual(
    arrived.map(({ name }) => name),
    ['Claude'],
  )
  assert.equal((await openVisitor(site).open(json, token)).status, 403)
  assert.equal((await owner.open(json)).status, 403, 'a script of a public page has no token')
})

test('where no client arrives, the page asks the doctor and leads to the document, which a person reads in the admin', async () => {
  const page = await owner.open('/admin/connect')
  const checked = await owner.submit(page.form(/action="([^"]+connect\?since=\d+)"/.exec(page.text)?.[1] ?? '/admin/connect'))
  assert.equal(checked.status, 200, checked.text)
  for (const { text } of [page, checked]) {
    const [, link = ''] = /<a href="([^"]*cannot-connect)"/.exec(text) ?? []
    const document = await owner.open(link)
    assert.match(document.text, /<table>/)
    assert.match(document.title, /^My client can't connect/)
  }
  assert.match((await owner.open('/admin/documents')).text, /documents\?doc=cannot-connect"/)
  assert.equal((await owner.open('/admin/documents?doc=none')).status, 404)
})

test('the document on connecting clients has every command and configuration of the page', () => {
  const text = documents.find(({ doc }) => doc === 'connecting-clients')?.text ?? ''
  for (const { copy } of clients) if (copy) assert.ok(text.includes(forSite(copy.text, 'https://example.org/mcp/')), copy.text)
})

for (const { value, scope, limits } of presets)
  test(`the choice ${value} makes a token with the scope ${scope} and its limits`, async () => {
    const form = (await owner.open('/admin/tokens')).form('/admin/tokens')
    const made = await owner.submit(form, { name: `Preset ${value}`, scope: value })
    assert.equal(made.status, 200, made.text)
    const [item] = (await site.call('SVC_Tokens.list', { where: { name: `Preset ${value}` } })).items
    assert.deepEqual([item.scope, item.limits], [scope, limits])
  })

test('a token that asks first changes nothing before somebody agrees, and its page says what it did', async () => {
  const made = await owner.submit((await owner.open('/admin/tokens')).form('/admin/tokens'), {
    name: 'Asker',
    scope: 'content',
    ask: 'yes',
  })
  const [token = ''] = /pst_[\w-]{43}/.exec(made.text) ?? []
  const count = (await site.call('SVC_Content.list', { count: true })).total as number
  await site.api('SVC_Content.create', { type: 'page', title: 'Asked' }, { token })
  assert.equal((await site.call('SVC_Content.list', { count: true })).total, count)
  assert.match((await owner.open('/admin/tokens')).text, /asks first for everything/)
})

const pageOf = async (kind: 'tokens/token' | 'apps/app', id: string): Promise<Page> => owner.open(`/admin/${kind}?id=${id}`)

test('a token is renamed, tightened but not loosened, and gets a new secret', async () => {
  const { item, token } = await site.call('SVC_Tokens.create', { name: 'Script', scope: 'content', limits: { per_minute: 100 } })
  await site.call('SVC_Content.create', { type: 'page', title: 'By script' }, { token })
  const page = await pageOf('tokens/token', item.id)
  assert.match(page.text, /<span class="what">[^]*By script/)
  assert.match((await owner.open('/admin/tokens')).text, />Script<[^]*?<td class="wide-only end">1<\/td>/)
  const form = page.form('/admin/tokens/token')
  assert.equal((await owner.submit(form, { name: 'Renamed', per_minute: '50', drafts_only: 'yes' })).status, 303)
  const now = async () => (await site.call('SVC_Tokens.list', { where: { id: item.id } })).items[0]
  assert.deepEqual([(await now()).name, (await now()).limits], ['Renamed', { per_minute: 50, drafts_only: true }])
  for (const fields of [{ per_minute: '500' }, { per_minute: '' }, { drafts_only: undefined }, { name: '' }]) {
    const refused = await owner.submit((await pageOf('tokens/token', item.id)).form('/admin/tokens/token'), fields)
    assert.ok([403, 422].includes(refused.status), `${JSON.stringify(fields)}: ${refused.status}`)
    assert.match(refused.text, /fault/)
  }
  assert.deepEqual((await now()).limits, { per_minute: 50, drafts_only: true })
  const rotated = await owner.submit((await pageOf('tokens/token', item.id)).form('/admin/tokens/rotate'))
  const [fresh = ''] = /pst_[\w-]{43}/.exec(rotated.text) ?? []
  assert.notEqual(fresh, token)
  assert.equal((await site.api('SVC_API.welcome', {}, { token: fresh })).json.data.you.token.name, 'Renamed')
})

test('an app is tightened on its page', async () => {
  const token = await connectApp('content')
  const [app] = (await site.call('SVC_Apps.list', { limit: 1 })).items
  const form = (await pageOf('apps/app', app.id)).form('/admin/apps/app')
  assert.equal((await owner.submit(form, { drafts_only: 'yes' })).status, 303)
  const refused = await site.api('SVC_Settings.update', { set: { site_title: 'x' } }, { token })
  assert.equal(refused.json.success, false)
  assert.equal((await owner.open('/admin/apps/app?id=nothing')).status, 404)
})

test('an admin adds somebody, who sets a password by a link that is shown once; changes the role; resets; and deletes with an heir', async () => {
  const people = await owner.open('/admin/people')
  const filled = { name: 'Ada', email: 'ada@example.org', role: 'contributor' }
  const twice = await owner.submit(people.form('/admin/people'), { ...filled, email: 'owner@example.org' })
  assert.equal(twice.status, 409)
  assert.equal(twice.form('/admin/people').fields['name'], 'Ada')
  const added = await owner.submit(people.form('/admin/people'), filled)
  const [, path = ''] = /data-copy="the link">[^<]*?(\/admin\/new-password\?code=[\w-]+)</.exec(added.text) ?? []
  const ada = openVisitor(site)
  assert.equal((await ada.submit((await ada.open(path)).form('/new-password'), { password: ownersPassword })).status, 303)
  const list = await owner.open('/admin/people')
  assert.match(list.text, /Contributor/)
  assert.ok(!list.text.includes('psl_'))
  const { item } = await site.call('SVC_Accounts.get', { id: 'ada@example.org' })
  const person = () => owner.open(`/admin/people/person?id=${item.id}`)
  assert.equal((await owner.submit((await person()).form('/people/person'), { role: 'content', name: 'Ada L' })).status, 303)
  const risen = (await site.call('SVC_Accounts.get', { id: item.id })).item
  assert.deepEqual([risen.role, risen.name, risen.disabled], ['content', 'Ada L', false])
  assert.equal((await ada.open('/admin/people')).status, 403)
  for (const action of ['/people', '/people/person', '/people/reset', '/people/delete'])
    assert.equal((await ada.submit({ action: `/admin${action}`, method: 'post', fields: { id: item.id } })).status, 403, action)
  const reset = await owner.submit((await person()).form('/people/reset'))
  assert.match(reset.text, /psl_/)
  assert.equal((await ada.open('/admin/')).status, 303)
  const gone = await owner.submit((await person()).form('/people/delete'))
  assert.equal(gone.location, '/admin/people?done=accounts.delete')
  assert.equal((await person()).status, 404)
})

test('attack 128: people are added, changed, reset and deleted only by somebody who proved lately who they are', async () => {
  await site.call('SVC_Accounts.create', { email: 'bob@example.org', name: 'Bob', role: 'read' })
  const { item } = await site.call('SVC_Accounts.get', { id: 'bob@example.org' })
  await editRows(site.home, 'update session set authenticated_at = 0')
  const person = await owner.open(`/admin/people/person?id=${item.id}`)
  for (const form of [
    person.form('/people/person'),
    person.form('/people/reset'),
    person.form('/people/delete'),
    (await owner.open('/admin/people')).form('/admin/people'),
  ])
    assert.equal(
      (await owner.submit(form, { password: 'wrong wrong wrong', name: 'Taken', email: 'x@example.org' })).status,
      403,
      form.action,
    )
  assert.deepEqual((await site.call('SVC_Accounts.get', { id: item.id })).item, item)
})

/** Somebody with this role who is signed in. */
async function signedInAs(role: string): Promise<Visitor> {
  const email = `${role}@example.org`
  const { link } = (await site.call('SVC_Accounts.create', { email, name: `A ${role}`, role })) as unknown as { link: string }
  const visitor = openVisitor(site)
  await visitor.submit((await visitor.open(link)).form('/admin/new-password'), { password: 'a password of my own' })
  return visitor
}

test('everybody changes their own name, and no other account and no role by it; a reader and a contributor publish no profile', async () => {
  for (const role of ['read', 'contributor']) {
    const visitor = await signedInAs(role)
    const form = (await visitor.open('/admin/account')).form('/account/profile')
    assert.deepEqual(Object.keys(form.fields).sort(), ['csrf', 'name'])
    const more = { public: 'yes', bio: 'Buy here', slug: 'spam', role: 'admin', id: 'owner@example.org', email: 'x@example.org' }
    const saved = await visitor.submit(form, { name: `Renamed ${role}`, ...more })
    assert.match((await visitor.follow(saved)).text, /Saved\./)
    const { item } = (await site.call('SVC_Accounts.get', { id: `${role}@example.org` })) as unknown as { item: object }
    const { name, ...rest } = item as Record<string, unknown>
    assert.equal(name, `Renamed ${role}`)
    assert.deepEqual([rest['role'], rest['public'], rest['bio'], rest['slug']], [role, false, null, null])
  }
})

test('an editor fills in their public profile; what is wrong stands at the field, and what was typed stays', async () => {
  const visitor = await signedInAs('content')
  const form = (await visitor.open('/admin/account')).form('/account/profile')
  const given = { name: 'Ed', public: 'yes', slug: 'ed', bio: 'Bakes.', picture: 'ftp://x' }
  const wrong = await visitor.submit(form, given)
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /id="e-picture"/)
  assert.equal(wrong.form('/account/profile').fields['bio']?.trim(), 'Bakes.')
  assert.equal((await visitor.submit(wrong.form('/account/profile'), { picture: '/media/ed.jpg' })).status, 303)
  const read = async () =>
    (await site.call('SVC_Accounts.get', { id: 'content@example.org' })).item as Record<string, string | boolean>
  const { name, slug, bio, picture, id, ...item } = await read()
  assert.deepEqual([name, item.public, slug, bio, picture], ['Ed', true, 'ed', 'Bakes.', '/media/ed.jpg'])
  const { items } = await site.call('SVC_Activity.list', { limit: 1 })
  assert.equal(items[0].call, 'SVC_Accounts.set-profile')
  // An admin has the same fields on the page of the person.
  const person = (await owner.open(`/admin/people/person?id=${id}`)).form('/people/person')
  assert.equal(person.fields['slug'], 'ed')
  assert.equal((await owner.submit(person, { slug: 'ed-baker', public: undefined, password: ownersPassword })).status, 303)
  assert.deepEqual([(await read()).slug, (await read()).public], ['ed-baker', false])
})

// What the owner looks after in the admin: apps, tokens, settings. Every form does what the action of its name does.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, exchangeForm, makeProof, postForm, register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

async function connectApp(name = 'Claude'): Promise<string> {
  const id = await register(site, { client_name: name })
  const { verifier, challenge } = makeProof()
  const page = await owner.open(authorizeUrl(site.base, id, { code_challenge: challenge }).href)
  const answered = await owner.submit(page.form('/oauth/consent'), { answer: 'allow', scope: 'content' })
  const code = new URL(answered.location).searchParams.get('code') ?? ''
  const exchange = exchangeForm(code, id, verifier)
  return (await postForm(site, '/oauth/token', exchange)).json.access_token as string
}

test('attack 61: a connected app is listed with what, who, scope, since, last use and end, and removing it ends it at once', async () => {
  const token = await connectApp()
  assert.equal((await site.api('SVC_API.welcome', {}, { token })).json.data.you.token.name, 'Claude')
  const page = await owner.open('/admin/apps')
  for (const words of ['localhost', 'Claude', 'Read and write', 'owner@example.org', 'Connected', 'Last used', 'Expires']) {
    assert.ok(page.text.includes(words), words)
  }
  const removed = await owner.submit(page.form('/admin/apps/remove'))
  assert.equal(removed.status, 303)
  const after = await owner.follow(removed)
  assert.match(after.text, /Removed\./)
  assert.ok(!after.text.includes('Claude'))
  assert.equal((await site.api('SVC_API.welcome', {}, { token })).json.data.you.token, null)
  assert.equal((await site.send('/mcp/', { method: 'POST', token, body: '{}' })).status, 401)
  assert.equal((await owner.submit(page.form('/admin/apps/remove'))).status, 303)
})

test('attack 29: the name of an app is text among Connected Apps', async () => {
  await connectApp('<b>Claude</b>"onmouseover="x')
  const { text } = await owner.open('/admin/apps')
  assert.ok(text.includes('&lt;b&gt;Claude'))
  assert.ok(!text.includes('<b>Claude'))
})

test('a token is made with scope and limits, shown once, and works until it is revoked', async () => {
  const form = (await owner.open('/admin/tokens')).form('/admin/tokens')
  const filled = {
    name: 'Script',
    scope: 'content',
    drafts_only: 'yes',
    per_minute: '50',
    addresses: '127.0.0.1',
    expires_at: '2099-01-31',
  }
  const made = await owner.submit(form, filled)
  assert.equal(made.status, 200, made.text)
  const [token = ''] = /pst_[\w-]{43}/.exec(made.text) ?? []
  const { items } = await site.call('SVC_Tokens.list', { where: { name: 'Script' } })
  assert.deepEqual(items[0].limits, { drafts_only: true, addresses: ['127.0.0.1'], per_minute: 50 })
  assert.equal(items[0].expires_at, '2099-01-31T23:59:59.999Z')
  assert.equal((await site.api('SVC_API.welcome', {}, { token })).json.data.you.token.name, 'Script')
  const again = await owner.submit(form, filled)
  assert.equal(again.status, 303, 'a form that is sent twice makes one token')
  assert.equal((await site.call('SVC_Tokens.list', { where: { name: 'Script' } })).items.length, 1)
  const list = await owner.open('/admin/tokens')
  assert.ok(!list.text.includes(token))
  assert.match(list.text, /drafts only; from 127\.0\.0\.1; 50 calls per minute/)
  const revoke = list.forms.find(({ fields }) => fields['id'] === items[0].id)
  assert.ok(revoke)
  assert.equal((await owner.submit(revoke)).status, 303)
  assert.equal((await site.api('SVC_API.welcome', {}, { token })).json.data.you.token, null)
})

for (const [field, value] of [
  ['name', ''],
  ['scope', 'owner'],
  ['expires_at', '2001-01-01'],
  ['per_minute', 'many'],
  ['addresses', 'everywhere'],
] as const) {
  test(`a token form whose ${field} makes no sense is 422, says so, and keeps what was filled in`, async () => {
    const form = (await owner.open('/admin/tokens')).form('/admin/tokens')
    const page = await owner.submit(form, { name: 'Half done', scope: 'read', [field]: value })
    assert.equal(page.status, 422)
    assert.match(page.text, /class="(?:notice )?fault"/)
    if (field !== 'name') assert.equal(page.form('/admin/tokens').fields['name'], 'Half done')
    assert.deepEqual((await site.call('SVC_Tokens.list', { where: { name: 'Half done' } })).items, [])
  })
}

test('the Time Zone is chosen among the settings, times are shown in it, and stored in UTC', async () => {
  const form = (await owner.open('/admin/settings')).form('/admin/settings')
  assert.equal(form.fields['time_zone'], 'UTC')
  const saved = await owner.submit(form, { time_zone: 'Pacific/Kiritimati', site_title: 'The Corner Shop' })
  assert.equal(saved.status, 303, saved.text)
  const page = await owner.follow(saved)
  assert.match(page.text, /Saved\./)
  assert.equal(page.form('/admin/settings').fields['time_zone'], 'Pacific/Kiritimati')
  const { items } = await site.call('SVC_Activity.list', { limit: 1 })
  assert.match(items[0].at, /Z$/)
  const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Pacific/Kiritimati', hour: '2-digit', minute: '2-digit' })
  const home = await owner.open('/admin/')
  assert.ok(home.text.includes(`datetime="${items[0].at}"`))
  assert.ok(home.text.includes(local.format(new Date(items[0].at))), home.text)
  assert.ok(home.text.includes('GMT+14'))
  assert.ok(home.text.includes('The Corner Shop'))
})

test('a setting that makes no sense is 422 beside its field, and nothing is saved', async () => {
  const form = (await owner.open('/admin/settings?page=content')).form('/admin/settings')
  const page = await owner.submit(form, { posts_per_page: '0', 'languages.add': 'de' })
  assert.equal(page.status, 422)
  assert.match(page.text, /id="e-posts_per_page"/)
  const values = Object.fromEntries(
    (await site.call('SVC_Settings.list')).items.map((one: { key: string; value: unknown }) => [one.key, one.value]),
  )
  assert.deepEqual(values['languages'], [])
  assert.match(page.text, /name="languages" value="de"\s+checked/)
})

test('settings that are lists: what is chosen are boxes, and one more is added by a choice or a field', async () => {
  const listed = async (key: string) =>
    (await site.call('SVC_Settings.list')).items.find((one: { key: string }) => one.key === key).value as string[]
  const send = async (page: string, fields: Readonly<Record<string, string>>) => {
    const form = (await owner.open(`/admin/settings?page=${page}`)).form('/admin/settings')
    assert.equal((await owner.submit(form, fields)).status, 303)
  }
  assert.match((await owner.open('/admin/settings?page=content')).text, /<option value="de"\s*>German<\/option>/)
  await send('content', { 'languages.add': 'de' })
  assert.deepEqual(await listed('languages'), ['de'])
  assert.match((await owner.open('/admin/settings?page=content')).text, /name="languages" value="de"\s+checked/)
  await send('site', { 'social_links.add': 'mastodon.example/@anna' })
  assert.deepEqual(await listed('social_links'), ['https://mastodon.example/@anna'])
  const page = (await owner.open('/admin/settings?page=site')).text
  assert.match(page, /name="social_links" value="https:\/\/mastodon\.example\/@anna"\s+checked/)
  // Nothing is ticked: a browser sends only the empty fields.
  await send('site', { social_links: '' })
  await send('content', { languages: '' })
  assert.deepEqual([await listed('languages'), await listed('social_links')], [[], []])
})

for (const [release, there] of [
  ['0.9', false],
  ['0.10', false],
  ['0.11', true],
  ['1', true],
] as const) {
  test(`release ${release}: the settings have ${there ? 'a' : 'no'} Time Zone, and the admin ${release === '1' ? 'no' : 'a'} standing warning`, async () => {
    await using old = await openSite({ release })
    const visitor = openVisitor(old)
    await visitor.signIn()
    assert.equal('time_zone' in (await visitor.open('/admin/settings')).form('/admin/settings').fields, there)
    assert.equal((await visitor.open('/admin/')).text.includes('behaves like release'), release !== '1')
  })
}

test('in a subdirectory every link and form keeps the slug', async () => {
  await using sub = await openSite({ basePath: '/blog' })
  const visitor = openVisitor(sub)
  const led = await visitor.open('/admin/apps')
  assert.equal(led.location, '/blog/admin/sign-in?next=%2Fadmin%2Fapps')
  const form = (await visitor.follow(led)).form('/admin/sign-in')
  assert.equal(form.action, '/blog/admin/sign-in')
  const page = await visitor.follow(
    await visitor.submit(form, { email: 'owner@example.org', password: 'correct horse battery staple' }),
  )
  assert.equal(page.status, 200)
  const addresses = [...page.text.matchAll(/(?:href|action)="([^"#][^"]*)"/g)].map(([, address]) => address)
  assert.deepEqual(
    addresses.filter((address) => !address?.startsWith('/blog/')),
    [],
  )
})

test('a cursor that was edited is a page in plain words', async () => {
  assert.equal((await owner.open('/admin/apps?cursor=xyz')).status, 400)
})

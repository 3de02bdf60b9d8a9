// Root files, such as `ads.txt`: written by calls and in the admin, and served so that nothing in them runs.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const ask = (path: string, headers: Record<string, string> = {}) => site.send(path, { token: null, headers })
const put = (name: string, text = 'x', token?: string) =>
  site.api('SVC_Site.put-file', { name, text }, token === undefined ? {} : { token })

const served: readonly (readonly [name: string, type: string])[] = [
  ['ads.txt', 'text/plain; charset=utf-8'],
  ['google123.html', 'text/html; charset=utf-8'],
  ['BingSiteAuth.xml', 'application/xml; charset=utf-8'],
  ['app.json', 'application/json; charset=utf-8'],
  ['/.well-known/security.txt', 'text/plain; charset=utf-8'],
  ['.well-known/apple-app-site-association', 'application/json; charset=utf-8'],
  ['.well-known/assetlinks.json', 'application/json; charset=utf-8'],
]

test('a root file is served with its type, in a sandbox, with an ETag, and is gone when it was deleted', async () => {
  for (const [name, type] of served) {
    const path = `/${name.replace(/^\//, '')}`
    assert.equal((await ask(path)).status, 404, `${path} before`)
    const text = `<script>alert(1)</script> ${name}`
    const { item, created } = await site.call('SVC_Site.put-file', { name, text })
    assert.deepEqual([item.path, item.type, item.bytes, created], [path, type, text.length, true])
    const found = await ask(path)
    assert.deepEqual([found.status, found.text], [200, text])
    assert.equal(found.headers.get('content-type'), type)
    assert.equal(found.headers.get('content-security-policy'), "default-src 'none'; sandbox")
    assert.equal(found.headers.get('x-content-type-options'), 'nosniff')
    assert.equal(found.headers.get('set-cookie'), null)
    const etag = found.headers.get('etag') ?? assert.fail('no ETag')
    assert.equal((await ask(path, { 'if-none-match': etag })).status, 304)
    await site.call('SVC_Site.put-file', { name, text: 'second' })
    assert.equal((await ask(path, { 'if-none-match': etag })).text, 'second')
    const { activity_id: id } = await site.call('SVC_Site.remove-file', { name })
    assert.equal((await ask(path)).status, 404, `${path} after`)
    await site.call('SVC_Activity.undo', { ids: [id] })
    assert.equal((await ask(path)).text, 'second', 'the deletion was undone')
  }
  const { items } = await site.call('SVC_Site.files', {})
  assert.equal(items.length, served.length)
  assert.equal('text' in items[0], false)
  const [one] = (await site.call('SVC_Site.files', { name: 'ads.txt' })).items
  assert.equal(one.text, 'second')
  assert.equal((await site.call('SVC_Redirects.resolve', { path: '/ads.txt' })).status, 200)
})

const refused: readonly (readonly [name: string, status: number, code: string])[] = [
  ...['robots.txt', 'ROBOTS.txt', 'sitemap.xml', 'sitemap-2.xml', 'feed.xml', 'atom.xml', 'feed.json', 'llms.txt'].map(
    (name) => [name, 422, 'refused'] as const,
  ),
  ['.well-known/oauth-authorization-server', 422, 'refused'],
  ['.well-known/other.txt', 422, 'refused'],
  ['admin/x.txt', 422, 'refused'],
  ...['favicon.svg', 'a.js', 'a.css', 'a.txt.js', 'ads.TXT', 'a b.txt', 'ä.txt', 'folder/ads.txt', 'a\\b.txt', 'a%2fb.txt'].map(
    (name) => [name, 400, 'invalid'] as const,
  ),
  [`${'a'.repeat(77)}.txt`, 400, 'invalid'],
  ['../ads.txt', 422, 'refused'],
  ['old.txt', 409, 'exists'],
]

test('attack 99: names that the service, a redirect or no file has are refused, and nothing is written', async () => {
  await site.call('SVC_Redirects.create', { from: '/old.txt', to: '/' })
  const { length } = (await site.call('SVC_Site.files', {})).items
  for (const [name, status, code] of refused) {
    const { status: got, json } = await put(name)
    assert.deepEqual([got, json.error?.code], [status, code], `${name}: ${JSON.stringify(json)}`)
  }
  assert.equal((await site.call('SVC_Site.files', {})).items.length, length)
  const back = await site.api('SVC_Redirects.create', { from: '/ads.txt', to: '/' })
  assert.deepEqual([back.status, back.json.error?.rule], [422, 'live path'])
})

test('a file has at most 64 KiB, counted in bytes, and a site 50 files', async () => {
  assert.equal((await put('long.txt', 'ä'.repeat(32 * 1024))).status, 200)
  assert.equal((await put('long.txt', 'ä'.repeat(32 * 1024) + 'a')).json.error?.code, 'too_large')
  const { length } = (await site.call('SVC_Site.files', {})).items
  for (let n = length; n < 50; n++) assert.equal((await put(`n${n}.txt`)).status, 200)
  const more = await put('more.txt')
  assert.deepEqual([more.status, more.json.error?.rule], [422, 'number of root files'])
  assert.equal((await put('ads.txt', 'still')).status, 200, 'one that is there can be replaced')
  const { activity_id: gone } = await site.call('SVC_Site.remove-file', { name: `n${length}.txt` })
  await put('in-its-place.txt')
  const full = /the site has 50 root files, and it may have no more: remove one first/
  const undone = await site.api('SVC_Activity.undo', { ids: [gone] })
  assert.deepEqual([undone.status, undone.json.error?.code], [409, 'conflict'])
  assert.match(undone.json.error?.message, full)
  const forced = await site.call('SVC_Activity.undo', { ids: [gone], force: true })
  assert.deepEqual([forced.done, forced.skipped.length], [[], 1])
  assert.match(forced.skipped[0].reason, full)
  await site.call('SVC_Site.remove-file', { name: 'in-its-place.txt' })
  await site.call('SVC_Activity.undo', { ids: [gone] })
  assert.equal((await site.call('SVC_Site.files', {})).items.length, 50)
  for (let n = length; n < 50; n++) await site.call('SVC_Site.remove-file', { name: `n${n}.txt` })
})

test('attack 140: a token with limits writes and deletes no root file, and undoes none', async () => {
  const { token } = await site.call('SVC_Tokens.create', { name: 'L', scope: 'admin', limits: { per_minute: 1000 } })
  const { token: editor } = await site.call('SVC_Tokens.create', { name: 'E', scope: 'content' })
  assert.equal((await put('mine.txt', 'x', token as string)).json.error?.code, 'refused')
  assert.equal((await put('mine.txt', 'x', editor as string)).json.error?.code, 'unknown_action')
  const { activity_id: id } = await site.call('SVC_Site.put-file', { name: 'mine.txt', text: 'mine' })
  const undone = await site.api('SVC_Activity.undo', { ids: [id] }, { token: token as string })
  assert.equal(undone.json.error?.code, 'refused', undone.text)
  assert.equal((await ask('/mine.txt')).text, 'mine')
})

test('a file is written, changed, added from a file, and deleted by forms, in both languages', async () => {
  const page = await owner.open('/admin/root-files')
  const made = await owner.submit(page.form('/admin/root-files'), { name: 'form.txt', text: 'One' })
  assert.equal(made.status, 303, made.text)
  assert.match((await owner.follow(made)).text, /form\.txt/)
  const edit = (await owner.open('/admin/root-files?edit=form.txt')).form('/admin/root-files')
  assert.equal(edit.fields['text'], 'One')
  assert.equal((await owner.submit(edit, { text: 'Two' })).status, 303)
  const late = await owner.submit(edit, { text: 'Late' })
  assert.equal(late.status, 409)
  assert.ok(late.text.includes('Late'), 'what was typed is still there')
  const bad = await owner.submit(page.form('/admin/root-files'), { name: 'robots.txt', text: 'Kept' })
  assert.equal(bad.status, 422)
  assert.ok(bad.text.includes('Kept'))
  assert.equal((await ask('/form.txt')).text, 'Two')
  const forms = (await owner.open('/admin/root-files')).forms.filter(({ action }) => action.endsWith('/root-files/delete'))
  const form = forms.find(({ fields }) => fields['id'] === 'form.txt') ?? assert.fail('no form deletes it')
  assert.equal((await owner.submit(form)).status, 303)
  assert.equal((await ask('/form.txt')).status, 404)
  const picking = page.form('/root-files/upload')
  const upload = async (name: string, bytes: Uint8Array) => {
    const data = new FormData()
    for (const [key, value] of Object.entries(picking.fields)) if (key !== 'file') data.set(key, value)
    data.set('file', new Blob([Buffer.from(bytes)]), name)
    const cookie = [...owner.cookies].map(([key, value]) => `${key}=${value}`).join('; ')
    const headers = { cookie, 'sec-fetch-site': 'same-origin' }
    return fetch(new URL(picking.action, site.base), { method: 'POST', body: data, headers, redirect: 'manual' })
  }
  assert.equal((await upload('google9.html', Buffer.from('google-site-verification: google9.html'))).status, 303)
  assert.equal((await ask('/google9.html')).text, 'google-site-verification: google9.html')
  for (const [name, bytes] of [
    ['x.txt', Buffer.from([0xff, 0xfe, 0x41])],
    ['x.js', Buffer.from('alert(1)')],
    ['x.txt', Buffer.alloc(64 * 1024 + 1, 'a')],
  ] as const)
    assert.ok([413, 422].includes((await upload(name, bytes)).status), name)
  await editRows(site.home, 'update session set authenticated_at = 0')
  const unproven = await upload('x.txt', Buffer.from('x'))
  assert.deepEqual([unproven.status, /name="password"/.test(await unproven.text())], [403, true])
  assert.equal((await ask('/x.txt')).status, 404)
  const german = openVisitor(site, { 'accept-language': 'de' })
  await german.signIn()
  assert.match((await german.open('/admin/root-files')).text, /Stammdateien/)
})

// A session that ends while somebody writes: signing in leads back to the same page, and a form that was sent too late loses no word. ATTACKS 69.

import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { readKept } from '../../src/admin/access/kept-form.ts'
import { addAuthenticator } from '../admin/authenticator.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword, type Form, type Page, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
before(async () => {
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
})
beforeEach(() => editRows(site.home, 'delete from sign_in_attempt'))
after(() => site[Symbol.asyncDispose]())

const owner = { email: 'owner@example.org', password: ownersPassword }
const typed = { slug: 'house-style', when: 'Before writing', text: 'Say “we”.\n\nNever <b>shout</b> & never whisper.' }

/** Somebody who has a form open, and whose session has ended since. */
async function tooLate(path = '/admin/skills'): Promise<{ visitor: Visitor; form: Form }> {
  const visitor = openVisitor(site)
  await visitor.signIn()
  const form = (await visitor.open(path)).form(path)
  await editRows(site.home, 'update session set seen_at = seen_at - 8 * 3600000 where ended_at is null')
  return { visitor, form }
}

const signInOn = (page: Page): Form => page.form('/admin/sign-in')
const skills = async (): Promise<readonly { text: string }[]> => {
  const { items } = await site.call('SVC_Skills.list', {})
  return items as readonly { text: string }[]
}
const removeSkill = () => site.call('SVC_Skills.delete', { id: 'house-style' })

test('an expired session signs in and comes back to the same page, with its query', async () => {
  const { visitor } = await tooLate()
  const path = '/admin/content?status=draft&search=a%20b'
  const led = await visitor.follow(await visitor.open(path))
  const back = await visitor.submit(signInOn(led), owner)
  assert.equal(new URL(back.location, site.base).searchParams.get('search'), 'a b')
  assert.match(back.location, /^\/admin\/content\?status=draft&/)
})

test('attack 47: a query of the page to come back to leads nowhere else', async () => {
  for (const next of [
    '/admin/\\?x',
    '/admin/?a\r\nset-cookie:x',
    '/admin?//evil.example\\',
    '//evil.example/admin/?x',
    '/admin//evil?x',
  ]) {
    const page = await openVisitor(site).open(`/admin/sign-in?next=${encodeURIComponent(next)}`)
    assert.equal(signInOn(page).fields['next'], '/admin/', next)
  }
})

test('a form that is sent after the session ended asks for the sign-in, shows what was typed, and is sent on request', async () => {
  const { visitor, form } = await tooLate()
  const asked = await visitor.submit(form, typed)
  assert.equal(asked.status, 403)
  const wrong = await visitor.submit(signInOn(asked), { ...owner, password: 'wrong wrong wrong' })
  assert.equal(wrong.status, 403)
  const shown = await visitor.submit(signInOn(wrong), owner)
  assert.equal(shown.status, 200, shown.text)
  assert.match(shown.text, /Never &lt;b&gt;shout/)
  assert.deepEqual(await skills(), [], 'nothing is done before the person says so')
  const done = await visitor.submit(shown.form('/admin/skills'))
  assert.equal(done.location, '/admin/skills?done=skills.put')
  const { item } = (await site.call('SVC_Skills.get', { id: 'house-style' })) as unknown as { item: { text: string } }
  assert.equal(item.text.trim(), typed.text)
  await removeSkill()
})

test('a form that stayed open in another window works after the sign-in', async () => {
  const { visitor, form } = await tooLate()
  await visitor.signIn()
  assert.equal((await visitor.submit(form, typed)).status, 303)
  await removeSkill()
})

test('what is refused for another reason is shown again with what was typed', async () => {
  const { visitor, form } = await tooLate()
  const shown = await visitor.submit(signInOn(await visitor.submit(form, { ...typed, slug: 'Not A Slug' })), owner)
  const again = await visitor.submit(shown.form('/admin/skills'))
  assert.equal(again.status, 422)
  assert.equal(again.form('/admin/skills').fields['text']?.trim(), typed.text)
})

test('a password that was in the form is not carried along', async () => {
  await editRows(site.home, 'update session set ended_at = 1')
  const visitor = openVisitor(site)
  await visitor.signIn()
  await editRows(site.home, 'update session set authenticated_at = authenticated_at - 901000')
  const form = (await visitor.open('/admin/tokens')).form('/admin/tokens')
  await editRows(site.home, 'update session set seen_at = seen_at - 8 * 3600000')
  const asked = await visitor.submit(form, { name: 'Late', password: ownersPassword })
  assert.ok(!asked.text.includes(ownersPassword))
  const shown = await visitor.submit(signInOn(asked), owner)
  assert.match((await visitor.submit(shown.form('/admin/tokens'))).text, /pst_[\w-]{43}/)
})

for (const [path, fields] of [
  ['/admin/backups', { passphrase: 'open sesame, please', again: 'open sesame, please' }],
  ['/admin/backups/verify', { id: 'b', passphrase: 'open sesame, please' }],
  ['/admin/mail', { do: 'set', secret: 'open sesame, please' }],
  ['/admin/plugins/settings', { id: 'p', 'setting-key': 'open sesame, please' }],
  ['/admin/console?action=SVC_Backup.create', { passphrase: 'open sesame, please' }],
] as const)
  test(`a secret in a form of ${path} comes back in no page`, async () => {
    const { visitor, form } = await tooLate()
    const refused = await visitor.submit({ ...form, action: path }, fields)
    assert.equal(refused.status, 403)
    assert.doesNotMatch(refused.text, /open sesame|name="kept"/)
  })

test('every form with a secret field is known: it is not kept, or the field is left out', async () => {
  const files: string[] = []
  for (const file of await readdir('src/admin', { recursive: true }))
    if (file.endsWith('.ts') && (await readFile(join('src/admin', file), 'utf8')).includes("type: 'password'")) files.push(file)
  assert.deepEqual(files.sort(), [
    // The field `password`, which is left out.
    'access/confirm-password.ts',
    'access/set-up-page.ts',
    'access/sign-in-page.ts',
    // These are not kept.
    'account/password-section.ts',
    // The field `password`, again.
    'content/password-field.ts',
    // These are not kept, either.
    'operations/backup-page.ts',
    'operations/backups-page.ts',
    'operations/elsewhere-form.ts',
    'operations/mail-page.ts',
    'operations/plugin-settings-page.ts',
  ])
})

test('a stranger may not send as large a form to the sign-in as a browser that had a session', async () => {
  const large = { kept: 'x'.repeat(300 * 1024) }
  const stranger = openVisitor(site)
  const refused = await stranger.submit(signInOn(await stranger.open('/admin/sign-in')), large)
  assert.equal(refused.status, 400)
  assert.match(refused.text, /256/)
  const { visitor } = await tooLate()
  const page = await visitor.follow(await visitor.open('/admin/skills'))
  assert.equal((await visitor.submit(signInOn(page), { ...large, ...owner })).status, 303)
})

test('attack 69: a form that another site sends, or a script, is not kept for after the sign-in', async () => {
  const { visitor, form } = await tooLate()
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-dest': 'empty' },
    { 'content-type': 'text/plain' },
  ]) {
    const page = await visitor.submit(form, typed, headers)
    assert.equal(page.status, 403)
    assert.deepEqual(page.forms, [])
  }
  const stranger = await openVisitor(site).submit(form, typed)
  assert.equal(stranger.status, 403)
  assert.deepEqual(stranger.forms, [], 'a browser without an ended session')
})

test('attack 69: a form that was made for somebody else, or for another purpose, is refused after the sign-in, too', async () => {
  const mallory = openVisitor(site)
  await mallory.signIn()
  const foreign = (await mallory.open('/admin/skills')).form('/admin/skills')
  const other = (await mallory.open('/admin/people')).form('/admin/people')
  const { visitor, form } = await tooLate()
  for (const csrf of [foreign.fields['csrf'], other.fields['csrf'], 'x']) {
    const shown = await visitor.submit(signInOn(await visitor.submit(form, { ...typed, csrf })), owner)
    assert.equal((await visitor.submit(shown.form('/admin/skills'))).status, 403)
    await editRows(site.home, 'update session set seen_at = seen_at - 8 * 3600000 where ended_at is null')
  }
  assert.deepEqual(await skills(), [])
})

test('attack 69: a kept form that leads out of the admin, or is none, is not read', () => {
  const read = (kept: unknown) => {
    const text = JSON.stringify(kept)
    return readKept({ get: () => text, has: () => true, all: () => [text] })
  }
  assert.ok(read({ path: '/admin/skills?a=b', fields: [['text', 'x']] }))
  for (const path of [
    'https://evil.example/admin/',
    '//evil.example/',
    '/oauth/consent',
    '/admin/../x',
    'javascript:alert(1)',
    1,
  ])
    assert.equal(read({ path, fields: [] }), undefined, String(path))
  for (const fields of [undefined, {}, [['a']], [['a', 1]], ['ab']])
    assert.equal(read({ path: '/admin/skills', fields }), undefined)
})

test('attack 69: whoever signs in instead does not get the form of the session before, and it does nothing', async () => {
  const { link } = (await site.call('SVC_Accounts.create', {
    email: 'ann@example.org',
    name: 'Ann',
    role: 'admin',
  })) as unknown as {
    link: string
  }
  const ann = { email: 'ann@example.org', password: 'a password of her own' }
  const first = openVisitor(site)
  await first.submit((await first.open(link)).form('/admin/new-password'), { password: ann.password })
  const { visitor, form } = await tooLate()
  const other = await visitor.submit(signInOn(await visitor.submit(form, typed)), ann)
  assert.equal(other.location, '/admin/')
  assert.equal((await visitor.submit(form, typed)).status, 403)
  assert.deepEqual(await skills(), [])
})

test('a second step of signing in keeps the form, after a wrong code, too', async () => {
  const visitor = openVisitor(site)
  await visitor.signIn()
  const app = await addAuthenticator(visitor)
  const form = (await visitor.open('/admin/skills')).form('/admin/skills')
  await editRows(site.home, 'update session set seen_at = seen_at - 8 * 3600000')
  const step = await visitor.submit(signInOn(await visitor.submit(form, typed)), owner)
  const wrong = await visitor.submit(step.form('/admin/sign-in/second-step'), { code: '000000' })
  const shown = await visitor.submit(wrong.form('/admin/sign-in/second-step'), { code: app.code() })
  assert.equal((await visitor.submit(shown.form('/admin/skills'))).status, 303)
  assert.equal((await skills()).length, 1)
})

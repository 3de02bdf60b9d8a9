// The second step of signing in, and sessions, at the running service: ATTACKS 65, 67, 68, 69, 122.

import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { addAuthenticator, type Authenticator, recoveryOn } from '../admin/authenticator.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword, type Page, type Visitor } from '../admin/visitor.ts'
import { authorizeUrl, makeProof, register } from '../doors/oauth/flow.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
let app: Authenticator
before(async () => {
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
  owner = openVisitor(site)
  await owner.signIn()
  app = await addAuthenticator(owner)
})
after(() => site[Symbol.asyncDispose]())
// Each test may use the codes of this minute again.
beforeEach(async () => {
  await editRows(site.home, 'delete from sign_in_attempt')
  await editRows(site.home, 'update totp set last_step = 0')
})

/** A visitor on another browser who has given the password, and the page that asks for more. */
async function atSecondStep(): Promise<{ visitor: Visitor; page: Page }> {
  const visitor = openVisitor(site)
  const page = await visitor.signIn()
  assert.equal(page.status, 200, page.text)
  return { visitor, page }
}

const stepForm = ({ page }: { page: Page }) => page.form('/admin/sign-in/second-step')

test('signing in takes the password and a code, and leads to where the sign-in began', async () => {
  const visitor = openVisitor(site)
  const first = await visitor.follow(await visitor.open('/admin/tokens'))
  const page = await visitor.submit(first.form('/admin/sign-in'), { email: 'owner@example.org', password: ownersPassword })
  assert.equal((await visitor.open('/admin/tokens')).status, 303)
  const done = await visitor.submit(stepForm({ page }), { code: app.code().replace(/^.../, '$& ') })
  assert.equal(done.location, '/admin/tokens')
  assert.equal((await visitor.follow(done)).status, 200)
})

test('attack 65: the second step is not skipped by opening the admin, its pages or its forms', async () => {
  const { visitor, page } = await atSecondStep()
  for (const path of ['/admin/', '/admin/account', '/admin/tokens', '/admin/account/authenticator'])
    assert.equal((await visitor.open(path)).status, 303, path)
  const { csrf } = stepForm({ page }).fields
  for (const action of ['/admin/tokens', '/admin/account/remove-factor', '/oauth/consent'])
    assert.equal((await visitor.submit({ action, method: 'post', fields: { csrf: csrf ?? '', id: 'app' } })).status, 403, action)
  assert.equal((await readRows(site.home))['totp']?.length, 1)
})

test('attack 65: a code counts once, also for two browsers at the same moment, and no earlier code counts after it', async () => {
  const tries = await Promise.all([atSecondStep(), atSecondStep(), atSecondStep()])
  const code = app.code()
  const statuses = await Promise.all(tries.map(async (one) => (await one.visitor.submit(stepForm(one), { code })).status))
  assert.deepEqual(statuses.sort(), [303, 403, 403])
  const late = await atSecondStep()
  assert.equal((await late.visitor.submit(stepForm(late), { code: app.code(-1) })).status, 403)
  assert.equal((await late.visitor.submit(stepForm(late), { code: app.code(1) })).status, 303)
})

test('attack 65: of twenty guesses five are looked at, from any address; then even the right code waits', async () => {
  const one = await atSecondStep()
  const statuses: number[] = []
  for (let guess = 0; guess < 20; guess++)
    statuses.push((await one.visitor.submit(stepForm(one), { code: String(guess).padStart(6, '0') })).status)
  assert.deepEqual(statuses, [...Array<number>(5).fill(403), ...Array<number>(15).fill(429)])
  const elsewhere = await atSecondStep()
  const late = await elsewhere.visitor.submit(stepForm(elsewhere), { code: app.code() })
  assert.equal(late.status, 429)
  assert.ok(Number(late.headers.get('retry-after')) > 0)
  // The owner's own browser is known, so nobody locks the owner out (attack 64).
  await owner.submit((await owner.open('/admin/')).form('/admin/sign-out'))
  const page = await owner.signIn()
  assert.equal((await owner.submit(stepForm({ page }), { code: app.code() })).status, 303)
})

test('attack 65: the second step of one browser, of an earlier password or with a changed form goes on nowhere', async () => {
  const one = await atSecondStep()
  const other = await atSecondStep()
  const { step = '' } = stepForm(one).fields
  for (const fields of [
    { step, code: app.code() },
    { step: `${step}A`, code: app.code() },
    { step: '', code: app.code() },
  ]) {
    const page = await other.visitor.submit(stepForm(other), fields)
    assert.equal(page.location, '/admin/sign-in')
    assert.equal((await other.visitor.open('/admin/')).status, 303)
  }
  await editRows(site.home, "update account set password_hash = password_hash || ' ' where email = ?", 'owner@example.org')
  assert.equal((await one.visitor.submit(stepForm(one), { code: app.code() })).location, '/admin/sign-in')
  await editRows(site.home, 'update account set password_hash = trim(password_hash) where email = ?', 'owner@example.org')
})

test('an app’s question waits behind the second step, and is asked after it', async () => {
  const visitor = openVisitor(site)
  const address = authorizeUrl(site.base, await register(site), { code_challenge: makeProof().challenge }).href
  const first = await visitor.open(address)
  const page = await visitor.submit(first.form('/admin/sign-in'), { email: 'owner@example.org', password: ownersPassword })
  assert.match((await visitor.open(address)).text, /Sign in/)
  const question = await visitor.follow(await visitor.submit(stepForm({ page }), { code: app.code() }))
  assert.ok(question.form('/oauth/consent'))
})

test('a recovery code works once, in any spelling; new ones end the old', async () => {
  const [first = '', second = ''] = app.recovery
  assert.equal(app.recovery.length, 10)
  const one = await atSecondStep()
  assert.equal((await one.visitor.submit(stepForm(one), { code: ` ${first.toUpperCase().replaceAll('-', ' ')}` })).status, 303)
  const again = await atSecondStep()
  assert.equal((await again.visitor.submit(stepForm(again), { code: first })).status, 403)
  const account = await one.visitor.open('/admin/account')
  assert.match(account.text, /9 of 10 left/)
  const fresh = recoveryOn(await one.visitor.submit(account.form('/admin/account/recovery-codes')))
  assert.equal(new Set([...fresh, ...app.recovery]).size, 20)
  assert.equal((await again.visitor.submit(stepForm(again), { code: second })).status, 403)
  assert.equal((await again.visitor.submit(stepForm(again), { code: fresh[0] })).status, 303)
  const rows = JSON.stringify(await readRows(site.home))
  for (const code of fresh) assert.ok(!rows.includes(code) && !rows.includes(code.replaceAll('-', '')), 'no code is stored')
})

test('a code confirms who you are where the sign-in is some time ago, once', async () => {
  const one = await atSecondStep()
  await one.visitor.submit(stepForm(one), { code: app.code(-1) })
  await editRows(site.home, 'update session set authenticated_at = 0')
  const form = (await one.visitor.open('/admin/tokens')).form('/admin/tokens')
  const wrong = await one.visitor.submit(form, { name: 'x', password: '', code: app.code(-1) })
  assert.equal(wrong.status, 403, 'the code that signed in')
  const right = await one.visitor.submit(wrong.form('/admin/tokens'), { code: app.code() })
  assert.equal(right.status, 200)
  assert.match(right.text, /pst_/)
})

test('attack 67: sessions are listed; signing one or all others out ends copies of their cookies', async () => {
  const [one, two] = [await atSecondStep(), await atSecondStep()]
  one.visitor.headers['user-agent'] = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  await one.visitor.submit(stepForm(one), { code: app.code(-1) })
  await two.visitor.submit(stepForm(two), { code: app.code() })
  const page = await two.visitor.open('/admin/account')
  const { text } = page
  assert.match(text, /Firefox on Linux/)
  const rows = (await readRows(site.home))['session'] ?? []
  for (const { id } of rows) assert.ok(!text.includes(String(id)), 'the page has no id of a session')
  const [forms, others] = [page.forms.filter(({ action }) => action.endsWith('/account/sessions')), 'others']
  const ofOne = forms.find(({ fields }) => fields['session'] !== others)
  assert.ok(ofOne)
  // Another browser of the owner can't use this page's form (attack 69).
  assert.equal((await one.visitor.submit(ofOne)).status, 403)
  const all = await two.visitor.submit({ ...ofOne, fields: { ...ofOne.fields, session: others } })
  assert.equal(all.status, 303)
  assert.equal((await one.visitor.open('/admin/')).status, 303)
  assert.equal((await two.visitor.open('/admin/')).status, 200)
  assert.equal((await two.visitor.submit(ofOne)).status, 404, 'it has ended')
})

test('a new account signs in with its password alone; its first factor signs out the sessions that had no second step', async () => {
  const { link } = await site.call('SVC_Accounts.create', { email: 'two@example.org', name: 'Two', role: 'content' })
  const visitor = openVisitor(site)
  const set = await visitor.submit((await visitor.open(link)).form('/admin/new-password'), { password: ownersPassword })
  assert.equal(set.status, 303, set.text)
  const elsewhere = openVisitor(site)
  assert.equal((await elsewhere.signIn('two@example.org')).status, 303)
  assert.equal((await site.call('SVC_Accounts.get', { id: 'two@example.org' })).item.second_factor, false)
  const offer = await visitor.open('/admin/account/authenticator')
  assert.equal((await visitor.submit(offer.form('/authenticator'), { first: '000000' })).status, 422)
  await addAuthenticator(visitor)
  assert.equal((await elsewhere.open('/admin/')).status, 303)
  assert.equal((await visitor.open('/admin/')).status, 200)
  const { items } = await site.call('SVC_Accounts.list', { where: { second_factor: true } })
  assert.deepEqual(items.map(({ email }: { email: string }) => email).sort(), ['owner@example.org', 'two@example.org'])
})

test('a link for a new password asks for the second factor first; the second factor is ended by another admin or on the server, and all admins are told', async () => {
  const reset = await site.call('SVC_Accounts.reset', { id: 'two@example.org' })
  const visitor = openVisitor(site)
  const asked = await visitor.open(reset.link)
  assert.doesNotMatch(asked.text, /type="password"/)
  const wrong = await visitor.submit(asked.form('/admin/new-password'), { password: ownersPassword, factor: '000000' })
  assert.equal(wrong.status, 403)
  assert.equal((await visitor.open('/admin/')).status, 303)
  const own = await site.api('SVC_Accounts.reset', { id: 'owner@example.org', second_factor: true })
  assert.equal(own.json.error.code, 'refused')
  assert.equal((await readRows(site.home))['totp']?.length, 2)
  const ended = await site.postern(['admin', 'reset-password', 'two@example.org', '--second-factor'])
  assert.equal(ended.code, 0, ended.stderr)
  const rows = await readRows(site.home)
  assert.equal(rows['totp']?.length, 1)
  assert.equal(rows['recovery_code']?.length, 10)
  const free = openVisitor(site)
  const { pathname, search } = new URL(ended.stdout.trim())
  const form = (await free.open(pathname + search)).form('/new-password')
  assert.equal((await free.submit(form, { password: ownersPassword })).status, 303)
  const one = await atSecondStep()
  await one.visitor.submit(stepForm(one), { code: app.code() })
  assert.match((await one.visitor.open('/admin/')).text, /second step of .*two@example\.org/s)
  const record = (await readRows(site.home))['activity']?.findLast(({ call }) => call === 'SVC_Accounts.reset')
  assert.match(String(record?.['changes']), /"second_factor":1.*"second_factor":0/s)
  assert.equal(record?.['by_name'], 'command line')
})

// Forms that the walk can't send wrongly: those with files, those that end sessions, and those of somebody who is not signed in yet.
// Each refusal is the banner of wrong-forms.ts, and no page repeats a password or a code.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { adminPaths } from '../../src/admin/paths.ts'
import { addAuthenticator } from '../admin/authenticator.ts'
import { openVisitor, setUpLinkOf, type Form, type Visitor } from '../admin/visitor.ts'
import { holdBanner } from '../admin/wrong-forms.ts'
import { authorizeUrl, register } from '../doors/oauth/flow.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openSite, type TestSite } from '../site.ts'

let site: TestSite
let owner: Visitor
before(async () => {
  site = await openSite()
  owner = openVisitor(site)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

/** Sends a form with files, or without any. */
async function sendFiles(form: Form, files: Readonly<Record<string, string>>, fields: Readonly<Record<string, string>> = {}) {
  const names = form.controls.filter(({ type }) => type === 'file').map(({ name }) => name)
  const data = new FormData()
  for (const [name, value] of Object.entries({ ...form.fields, ...fields })) if (!names.includes(name)) data.set(name, value)
  for (const [name, text] of Object.entries(files)) data.append(names[0] ?? '', new Blob([text]), name)
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const headers = { cookie, 'sec-fetch-site': 'same-origin' }
  const response = await fetch(site.address + form.action, { method: 'POST', body: data, headers, redirect: 'manual' })
  return { status: response.status, text: await response.text() }
}

const withFiles = async (path: string): Promise<Form> => {
  const form = (await owner.open(path)).forms.find(({ controls }) => controls.some(({ type }) => type === 'file'))
  assert.ok(form, path)
  return form
}

test('a form with files is refused at its field: without a file, with one that is not taken, and with a foreign token', async () => {
  const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
  const { item } = await site.call('SVC_Media.upload', { text, filename: 'a.svg' })
  const bad = { 'bad.exe': 'MZ\u0090\0' }
  for (const [path, field] of [
    [adminPaths.media, 'f-files'],
    [`${adminPaths.mediaFile}?id=${item.id}`, 'f-file'],
    [adminPaths.plugins, 'f-package'],
  ] as const) {
    const form = await withFiles(path)
    for (const files of [{}, bad]) {
      const answer = await sendFiles(form, files, { folder: 'team/2026' })
      assert.ok([400, 415, 422].includes(answer.status), `${path}: ${answer.status}`)
      assert.deepEqual(holdBanner(answer as never, path), [field])
      if (path === adminPaths.media) assert.match(answer.text, /value="team\/2026"/)
    }
    const foreign = await sendFiles(form, bad, { csrf: 'x' })
    assert.equal(foreign.status, 403, path)
    holdBanner(foreign as never, path)
  }
})

test('signing out and ending sessions with a foreign token ends nothing, and says so', async () => {
  await openVisitor(site).signIn()
  const account = await owner.open(adminPaths.account)
  for (const path of [adminPaths.signOut, adminPaths.endSessions]) {
    const answer = await owner.submit(account.form(path), { csrf: 'x' })
    assert.equal(answer.status, 403, path)
    holdBanner(answer, path)
  }
  assert.equal((await owner.open(adminPaths.account)).status, 200)
})

test('the set-up keeps what was typed, but no password, and says why its link does not fit', async () => {
  await using bare = await openSite({ bare: true })
  const visitor = openVisitor(bare)
  const form = (await visitor.open(await setUpLinkOf(bare))).form(adminPaths.setUp)
  for (const [fields, field] of [
    [{ name: 'Ann', email: 'no mail', password: 'a secret of many words' }, 'f-email'],
    [{ name: 'Ann', email: 'ann@example.org', password: 'hunter2' }, 'f-password'],
  ] as const) {
    const answer = await visitor.submit(form, fields)
    assert.equal(answer.status, 422, field)
    assert.deepEqual(holdBanner(answer, field), [field])
    const { name, email } = answer.form(adminPaths.setUp).fields
    assert.deepEqual([name, email], [fields.name, fields.email])
    assert.ok(!answer.text.includes(fields.password), 'the password is not on the page')
  }
  const foreign = await visitor.submit(form, {
    code: 'x',
    name: 'Eve',
    email: 'eve@example.org',
    password: 'a secret of many words',
  })
  assert.equal(foreign.status, 403)
  holdBanner(foreign, 'the link')
})

test('a consent that is refused for its password, or whose question was answered, shows the banner', async () => {
  const { pathname, search } = authorizeUrl(site.base, await register(site))
  await editRows(site.home, 'update session set authenticated_at = 0')
  const form = (await owner.open(pathname + search)).form('/oauth/consent')
  const refused = await owner.submit(form, { answer: 'allow', scope: 'read', password: 'wrong wrong wrong' })
  assert.equal(refused.status, 403)
  assert.match(holdBanner(refused, 'consent').join(), /^f-password-[0-9a-f]+$/)
  assert.equal(refused.form('/oauth/consent').fields['scope'], 'read')
  assert.ok(!refused.text.includes('wrong wrong wrong'))
  assert.equal((await owner.submit(form, { answer: 'deny' })).status, 302)
  const again = await owner.submit(form, { answer: 'deny' })
  assert.equal(again.status, 400)
  holdBanner(again, 'a question that was answered')
})

test('a wrong one-time code is told at its field, where an app is added and in the second step, and is not repeated', async () => {
  const person = openVisitor(site)
  await person.signIn()
  const offer = (await person.open(adminPaths.authenticator)).form(adminPaths.authenticator)
  const first = await person.submit(offer, { first: '000 00x' })
  assert.equal(first.status, 422)
  assert.deepEqual(holdBanner(first, 'the first code'), ['f-first'])
  await addAuthenticator(person)
  const other = openVisitor(site)
  const step = (await other.signIn()).form(adminPaths.secondStep)
  const second = await other.submit(step, { code: '00000x' })
  assert.equal(second.status, 403)
  assert.deepEqual(holdBanner(second, 'the second step'), ['f-code'])
  for (const { text } of [first, second]) assert.doesNotMatch(text, /00x/)
})

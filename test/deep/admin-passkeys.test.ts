// Passkeys as the second step of signing in: ATTACKS 66, with an authenticator of our own, and once with Chromium's.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { CDPSession } from 'playwright-core'
import { noBrowser, openBrowser, openContext } from '../admin/chromium.ts'
import { editRows } from '../admin/edit-rows.ts'
import { challengeOn, makeSoftPasskey } from '../admin/soft-passkey.ts'
import { type Form, openVisitor, ownersPassword, type Page, type Visitor } from '../admin/visitor.ts'
import { openSite, type TestSite } from '../site.ts'

const passkey = makeSoftPasskey()
let site: TestSite
let owner: Visitor
/** Browsers have no passkeys at an address such as 127.0.0.1. */
let at: { readonly base: string; readonly address: string }
let place: { readonly origin: string; readonly rpId: string }
before(async () => {
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
  const base = site.base.replace('127.0.0.1', 'localhost')
  at = { base, address: base }
  place = { origin: base, rpId: 'localhost' }
  owner = openVisitor(at)
  await owner.signIn()
})
after(() => site[Symbol.asyncDispose]())

const withField = (page: Page, action: string): Form => {
  const form = page.forms.find((one) => one.action.endsWith(action) && 'credential' in one.fields)
  assert.ok(form, page.text)
  return form
}

async function atSecondStep(): Promise<{ visitor: Visitor; page: Page; form: Form }> {
  const visitor = openVisitor(at)
  const page = await visitor.signIn()
  assert.equal(page.status, 200, page.text)
  return { visitor, page, form: withField(page, '/second-step') }
}

test('attack 66: a new passkey of another origin, domain or challenge is refused, and so is a challenge that was answered', async () => {
  const add = async (change: (challenge: string) => object) => {
    const page = await owner.open('/admin/account')
    const form = withField(page, '/account/passkeys')
    const credential = passkey.create({ ...place, challenge: challengeOn(page), ...change(challengeOn(page)) })
    return { form, credential, challenge: challengeOn(page), answer: await owner.submit(form, { credential, name: 'Phone' }) }
  }
  for (const change of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { challenge: 'AAAA' },
    { origin: place.origin.replace('http:', 'https:') },
  ]) {
    const { form, challenge, answer } = await add(() => change)
    assert.equal(answer.status, 403, JSON.stringify(change))
    const right = passkey.create({ ...place, challenge })
    assert.equal((await owner.submit(form, { credential: right })).status, 403, 'the challenge is spent')
  }
  for (const credential of ['', '{', '[]', '{"id":1}', 'x'.repeat(40_000)]) {
    const page = await owner.open('/admin/account')
    assert.equal((await owner.submit(withField(page, '/account/passkeys'), { credential })).status, 403)
  }
  const elsewhere = openVisitor(at)
  await elsewhere.signIn()
  const { form, credential, answer } = await add(() => ({}))
  assert.equal(answer.status, 200, answer.text)
  assert.match(answer.text, /Recovery codes/)
  assert.equal((await owner.submit(form, { credential })).status, 403)
  assert.equal((await elsewhere.open('/admin/')).status, 303, 'sessions with a password alone have ended')
  assert.equal((await site.call('SVC_Accounts.get', { id: 'owner@example.org' })).item.second_factor, true)
})

test('attack 66: signing in takes an answer to this challenge, at this place, once; and the counter goes on', async () => {
  let counter = 1
  for (const change of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { challenge: 'AAAA' }, { counter: 0 }]) {
    const { visitor, page, form } = await atSecondStep()
    const right = { ...place, challenge: challengeOn(page), counter: ++counter }
    if ('counter' in change) {
      const done = await visitor.submit(form, { credential: passkey.get(right) })
      assert.equal(done.location, '/admin/')
      assert.equal((await visitor.open('/admin/')).status, 200)
      const again = await visitor.submit(form, { credential: passkey.get({ ...right, counter: counter + 1 }) })
      assert.notEqual(again.location, '/admin/', 'a challenge is answered once')
      continue
    }
    assert.equal(
      (await visitor.submit(form, { credential: passkey.get({ ...right, ...change }) })).status,
      403,
      JSON.stringify(change),
    )
    assert.equal((await visitor.submit(form, { credential: passkey.get(right) })).status, 403, 'the challenge is spent')
    assert.equal((await visitor.open('/admin/')).status, 303)
  }
  const copied = await atSecondStep()
  const old = passkey.get({ ...place, challenge: challengeOn(copied.page), counter: 1 })
  assert.equal((await copied.visitor.submit(copied.form, { credential: old })).status, 403, 'a copy whose counter lags')
})

test('attack 66: a challenge of another browser, or for something else, is refused', async () => {
  const [one, two] = [await atSecondStep(), await atSecondStep()]
  const answer = passkey.get({ ...place, challenge: challengeOn(one.page), counter: 50 })
  const { challenge } = one.form.fields
  assert.equal((await two.visitor.submit(two.form, { challenge, credential: answer })).status, 403)
  const account = await owner.open('/admin/account')
  const adding = passkey.get({ ...place, challenge: challengeOn(account), counter: 51 })
  const foreign = withField(account, '/account/passkeys').fields['challenge']
  assert.equal((await two.visitor.submit(two.form, { challenge: foreign, credential: adding })).status, 403)
  const stranger = makeSoftPasskey()
  const three = await atSecondStep()
  const strange = stranger.get({ ...place, challenge: challengeOn(three.page), counter: 1 })
  assert.equal((await three.visitor.submit(three.form, { credential: strange })).status, 403)
})

test('a passkey confirms who you are; at an address without a name the page offers none', async () => {
  await editRows(site.home, 'update session set authenticated_at = 0')
  const page = await owner.open('/admin/account/confirm')
  const form = withField(page, '/account/confirm')
  const done = await owner.submit(form, { credential: passkey.get({ ...place, challenge: challengeOn(page), counter: 60 }) })
  assert.equal(done.status, 303, done.text)
  assert.match((await owner.follow(done)).text, /Confirmed/)
  const token = await owner.submit((await owner.open('/admin/tokens')).form('/admin/tokens'), { name: 'x' })
  assert.match(token.text, /pst_/)
  const bare = openVisitor(site)
  const step = await bare.signIn()
  assert.ok(step.form('/second-step'))
  assert.ok(!step.text.includes('data-passkey'))
})

test('Chromium adds a passkey and signs in with it', { skip: noBrowser }, async () => {
  const { link } = await site.call('SVC_Accounts.create', { email: 'two@example.org', name: 'Two', role: 'content' })
  const browser = await openBrowser()
  try {
    const context = await openContext(browser, {})
    const page = await context.newPage()
    await addAuthenticatorTo(await context.newCDPSession(page))
    const { pathname, search } = new URL(link)
    await page.goto(at.base + pathname + search)
    await page.getByLabel('Password').fill(ownersPassword)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.goto(`${at.base}/admin/account`)
    await page.getByText('Add a passkey…').click()
    await page.getByLabel('Name of the passkey').fill('Laptop')
    await page.getByRole('button', { name: 'Add a passkey' }).click()
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor()
    await context.clearCookies()
    await page.goto(`${at.base}/admin/sign-in?next=/admin/account`)
    await page.getByLabel('E-mail').fill('two@example.org')
    await page.getByLabel('Password').fill(ownersPassword)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Passkey: Laptop').waitFor()
  } finally {
    await browser.close()
  }
})

async function addAuthenticatorTo(client: CDPSession): Promise<void> {
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

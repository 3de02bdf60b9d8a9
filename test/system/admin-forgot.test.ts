// "Forgot your password?" by mail, at the running service with a real relay: attack 168.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addAuthenticator } from '../admin/authenticator.ts'
import { editRows } from '../admin/edit-rows.ts'
import { openVisitor, ownersPassword } from '../admin/visitor.ts'
import { openRelay, readable, type Relay, relayInput } from '../mail/relay-server.ts'
import { readRows } from '../rows.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let site: TestSite
let relay: Relay
before(async () => {
  relay = await openRelay()
  site = await openSite({ env: { POSTERN_SIGN_INS_PER_ADDRESS: '1000' } })
})
after(async () => {
  await site[Symbol.asyncDispose]()
  await relay[Symbol.asyncDispose]()
})

/** Asks for a link, as a person at the sign-in page does. */
async function ask(email: string) {
  const visitor = openVisitor(site)
  const signIn = await visitor.open('/admin/sign-in')
  assert.match(signIn.text, /href="\/admin\/forgot-password"/)
  const page = await visitor.open('/admin/forgot-password')
  return visitor.submit(page.form('/admin/forgot-password'), { email })
}

/** The links for a new password in the mails to an address, the latest last. */
const linksTo = (email: string): string[] =>
  relay.taken
    .filter(({ to }) => to[0] === email)
    .flatMap((mail) => /^http\S+\?code=psl_[\w-]{43}/m.exec(readable(mail))?.[0] ?? [])

const forget = () => editRows(site.home, 'delete from sign_in_attempt')

test('without a relay, the page says the command', async () => {
  const visitor = openVisitor(site)
  assert.doesNotMatch((await visitor.open('/admin/sign-in')).text, /forgot-password/)
  assert.match((await visitor.open('/admin/forgot-password')).text, /scripts\/postern admin reset-password/)
})

test('attack 168: known and unknown addresses get the same answer, asking changes nothing, and the link works once', async () => {
  const { item } = await site.call('SVC_Mail.set-relay', relayInput(relay, { site_url: site.address, per_minute: 1000 }))
  assert.equal(item.error, null)
  const owner = openVisitor(site)
  await owner.signIn()
  const known = await ask('owner@example.org')
  const unknown = await ask('nobody@example.org')
  assert.deepEqual([known.status, unknown.status], [200, 200])
  const plain = (text: string, email: string) => text.replaceAll(email, 'X').replace(/name="csrf" value="[^"]*"/g, '')
  assert.equal(plain(known.text, 'owner@example.org'), plain(unknown.text, 'nobody@example.org'))
  await until('the mail came', () => linksTo('owner@example.org').length === 1)
  assert.deepEqual(
    relay.taken.filter(({ to }) => to[0] === 'nobody@example.org'),
    [],
  )
  // Sessions and the password are as they were.
  assert.equal((await owner.open('/admin/')).status, 200)
  assert.equal((await openVisitor(site).signIn()).status, 303)
  const [link = ''] = linksTo('owner@example.org')
  const { pathname, search } = new URL(link)
  assert.equal(new URL(link).origin, new URL(site.address).origin)
  const visitor = openVisitor(site)
  // A scanner that opens the link spends nothing.
  for (const _twice of [1, 2]) assert.equal((await openVisitor(site).open(pathname + search)).status, 200)
  const set = await visitor.submit((await visitor.open(pathname + search)).form('/admin/new-password'), {
    password: 'quite another phrase',
  })
  assert.equal(set.status, 303, set.text)
  assert.equal((await owner.open('/admin/')).status, 303)
  assert.equal((await openVisitor(site).open(pathname + search)).status, 403)
  await until('the change is told', () => relay.taken.some(({ source }) => source.includes('was changed')))
})

test('attack 168: a thousand questions send at most three mails an hour, and then are refused', async () => {
  await forget()
  const { id } = await site
    .call('SVC_Accounts.create', { email: 'anna@example.org', name: 'Anna', role: 'content' })
    .then(({ item }) => item)
  const statuses: number[] = []
  for (let number = 0; number < 22; number++) statuses.push((await ask('anna@example.org')).status)
  assert.deepEqual(statuses.slice(0, 20), Array(20).fill(200))
  assert.deepEqual(statuses.slice(20), [429, 429])
  await until('the mails are queued', async () => (await resets(id)) === 3)
  await forget()
  assert.equal((await ask('anna@example.org')).status, 200)
})

const resets = async (account: string): Promise<number> =>
  (await readRows(site.home))['mail']?.filter(({ account_id: id, kind }) => id === account && kind === 'reset').length ?? 0

test('attack 168: an account with a second factor gets no new password without it', async () => {
  await forget()
  const { link } = await site.call('SVC_Accounts.create', { email: 'two@example.org', name: 'Two', role: 'content' })
  const two = openVisitor(site)
  await two.submit((await two.open(link)).form('/admin/new-password'), { password: ownersPassword })
  const app = await addAuthenticator(two)
  await ask('two@example.org')
  await until('the mail came', () => linksTo('two@example.org').length === 2)
  const { pathname, search } = new URL(linksTo('two@example.org').at(-1) ?? '')
  const visitor = openVisitor(site)
  const first = await visitor.open(pathname + search)
  assert.doesNotMatch(first.text, /type="password"/)
  const without = await visitor.submit(first.form('/admin/new-password'), { password: 'quite another phrase' })
  assert.equal(without.status, 403)
  await editRows(site.home, 'update totp set last_step = 0')
  const proven = await visitor.submit(first.form('/admin/new-password'), { factor: app.code() })
  assert.equal(proven.status, 200, proven.text)
  const short = await visitor.submit(proven.form('/admin/new-password'), { password: 'short' })
  assert.equal(short.status, 422)
  // The proof counts in this browser alone.
  const thief = openVisitor(site)
  const page = await thief.open(pathname + search)
  const { proof = '' } = proven.form('/admin/new-password').fields
  const stolen = await thief.submit(page.form('/admin/new-password'), { password: 'quite another phrase', proof })
  assert.equal(stolen.status, 403)
  const set = await visitor.submit(short.form('/admin/new-password'), { password: 'quite another phrase' })
  assert.equal(set.status, 303, set.text)
  assert.equal((await visitor.open('/admin/')).status, 200)
})

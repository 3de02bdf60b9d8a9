// Mails from the call to the relay: what is sent, what becomes of failures, and what nobody can add to a mail.

import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { removeExpired } from '../../src/actions/call/expired-rows.ts'
import { openTestSite } from '../identity/open-test-site.ts'
import { until } from '../until.ts'
import { type MailingSite, openMailingSite, openRelay, readable, refusing, relayInput, type Taken } from './relay-server.ts'

const minute = 60_000

const invite = async (site: MailingSite, email: string, more: Record<string, unknown> = {}) =>
  site.ok('SVC_Accounts.create', { email, name: 'Anna', role: 'content', ...more })

const taken = async (site: MailingSite, count: number): Promise<Taken[]> => {
  await until(`mail ${count}`, () => site.relay.taken.length >= count)
  return site.relay.taken
}

const mails = async (site: Pick<MailingSite, 'ok'>, where: Record<string, unknown> = {}) =>
  (await site.ok('SVC_Mail.list', { where })).items

const state = async (site: MailingSite, wanted: string) =>
  until(`a mail is ${wanted}`, async () => (await mails(site))[0]?.state === wanted)

/** The headers of a mail, unfolded. */
const headersOf = ({ source }: Taken): string[] =>
  (source.split('\r\n\r\n', 1)[0] ?? '').replace(/\r\n[ \t]+/g, ' ').split('\r\n')

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  test(`an invitation goes to the person, with a link that the answer has too: ${engine}`, async () => {
    await using site = await openMailingSite(engine)
    const { link, mailed, item } = await invite(site, 'anna@example.org')
    assert.equal(mailed, true)
    const [mail] = (await taken(site, 1)) as [Taken]
    assert.deepEqual([mail.from, mail.to], ['site@example.org', ['anna@example.org']])
    const headers = headersOf(mail)
    await state(site, 'sent')
    const [row] = await mails(site)
    assert(headers.includes(`Message-ID: <${row.id}@example.org>`), headers.join('\n'))
    assert(headers.includes('Auto-Submitted: auto-generated'))
    assert(headers.includes('Subject: Your account at My site'))
    assert(readable(mail).includes(`Set a password:\r\n${link}\r\n`))
    assert.match(readable(mail), /<a href="https:\/\/example.org\/admin\/new-password\?code=psl_[\w-]{43}"/)
    assert.deepEqual([row.to, row.kind, row.tries, row.code], ['anna@example.org', 'invitation', 1, 250])
    // Nothing of the text is left.
    const stored = await site.site.store.read.selectFrom('mail').selectAll().execute()
    assert.deepEqual(
      stored.map(({ body, account_id: account }) => [body, account]),
      [[null, item.id]],
    )
  })

test('a body that waits is sealed, and a dry run sends nothing', async () => {
  await using site = await openMailingSite()
  await site.stopMailer()
  const tried = await site.ok('SVC_Accounts.create', { email: 'b@example.org', name: 'B', role: 'read', dry_run: true })
  assert.equal(tried.activity_id, null)
  assert.deepEqual(await mails(site), [])
  await invite(site, 'anna@example.org')
  const [row] = await site.site.store.read.selectFrom('mail').select('body').execute()
  assert(row?.body && !row.body.includes('psl_') && !Buffer.from(row.body, 'base64url').toString('latin1').includes('psl_'))
})

test('without a relay, everything works as before, and the answers say so', async () => {
  await using site = await openTestSite({ POSTERN_BASE_URL: 'https://example.org' })
  const { link, mailed } = await site.ok('SVC_Accounts.create', { email: 'anna@example.org', name: 'Anna', role: 'content' })
  assert.deepEqual([mailed, link.startsWith('https://example.org/admin/new-password')], [false, true])
  assert.deepEqual((await site.ok('SVC_Mail.get-relay')).item, null)
  const { code, hint } = await site.fails('SVC_Mail.test', { to: 'a@example.org' })
  assert.deepEqual([code, hint], ['refused', 'SVC_Mail.set-relay'])
})

test('without an address of the site, no mail with a link is sent: the host of a request never counts', async () => {
  await using relay = await openRelay()
  await using site = await openTestSite()
  await site.ok('SVC_Mail.set-relay', relayInput(relay))
  assert.equal((await site.ok('SVC_Accounts.create', { email: 'a@example.org', name: 'A', role: 'read' })).mailed, false)
  await site.ok('SVC_Mail.set-relay', relayInput(relay, { site_url: 'https://example.com/blog/' }))
  assert.equal((await site.ok('SVC_Accounts.create', { email: 'b@example.org', name: 'B', role: 'read' })).mailed, true)
})

test('a wrong password is stored as not verified, nothing is sent, and the right one sends what waits', async () => {
  await using site = await openMailingSite()
  site.relay.password = 'another'
  const { item, warnings } = await site.ok('SVC_Mail.set-relay', relayInput(site.relay))
  assert.deepEqual([item.verified_at, item.password, warnings[0].code], [null, true, 'not_verified'])
  assert.match(item.error, /^535 5\.7\.8 Wrong user or password/)
  assert.doesNotMatch(JSON.stringify(item), /right/)
  assert.equal((await invite(site, 'anna@example.org')).mailed, false)
  // The stored password stays for the same relay and user.
  site.relay.password = 'right'
  const again = await site.ok('SVC_Mail.set-relay', relayInput(site.relay, { password: undefined }))
  assert.notEqual(again.item.verified_at, null)
  assert.equal((await invite(site, 'ben@example.org')).mailed, true)
  await taken(site, 1)
})

test('a relay that takes the password no more gets no mail until it is verified again; then nothing is lost', async () => {
  await using site = await openMailingSite()
  site.relay.password = 'changed'
  await invite(site, 'anna@example.org')
  await until('it is noted', async () => (await site.ok('SVC_Mail.get-relay')).item.verified_at === null)
  const [row] = await mails(site)
  assert.deepEqual([row.state, row.tries], ['waiting', 0])
  const found = (await site.ok('SVC_Health.check', { only: ['mail'], outside: false })).items[0]
  assert.equal(found.state, 'warning')
  assert.match(found.message, /not verified, so no mail is sent: 535/)
  await site.ok('SVC_Mail.set-relay', relayInput(site.relay, { password: 'changed' }))
  await taken(site, 1)
})

test('a test mail shows the code and the sentence of the relay, and verifies one that was down', async () => {
  await using site = await openMailingSite()
  const good = await site.ok('SVC_Mail.test', { to: 'owner@example.org' })
  assert.deepEqual([good.item.taken, good.item.code, good.item.answer], [true, 250, '250 2.0.0 Taken'])
  site.relay.answering = () => refusing(550, '5.7.1 Not for this sender')
  const refused = await site.ok('SVC_Mail.test', {})
  assert.deepEqual([refused.item.taken, refused.item.code, refused.item.to], [false, 550, 'owner@example.org'])
  assert.match(refused.item.answer, /^550 5\.7\.1 Not for this sender/)
  assert.equal((await site.ok('SVC_Mail.test', { dry_run: true })).item, null)
  assert.deepEqual((await mails(site, { kind: 'test' })).map((one: { state: string }) => one.state).toSorted(), [
    'failed',
    'sent',
  ])
})

test('4xx is tried again after a minute, with the same Message-ID; 5xx ends, and can be sent again by hand', async () => {
  await using site = await openMailingSite()
  site.relay.answering = (number) => (number === 1 ? refusing(451, '4.7.1 Try again later') : undefined)
  await invite(site, 'anna@example.org')
  await until('the first try', async () => (await mails(site))[0]?.code === 451)
  const [waiting] = await mails(site)
  assert.deepEqual([waiting.state, Date.parse(waiting.next_at) - site.clock.at], ['waiting', minute])
  site.clock.at += minute
  const [mail] = (await taken(site, 1)) as [Taken]
  assert(headersOf(mail).includes(`Message-ID: <${waiting.id}@example.org>`))
  site.relay.answering = () => refusing(550, '5.1.1 No such user')
  await invite(site, 'nobody@example.org')
  await state(site, 'failed')
  const [failed] = await mails(site)
  assert.deepEqual([failed.code, failed.next_at, failed.tries], [550, null, 1])
  const found = (await site.ok('SVC_Health.check', { only: ['mail'], outside: false })).items[0]
  assert.equal(found.message, 'A mail of the last day was not sent.')
  site.relay.answering = () => undefined
  await site.ok('SVC_Mail.resend', { ids: [failed.id] })
  await taken(site, 2)
  await state(site, 'sent')
  assert.equal((await site.fails('SVC_Mail.resend', { ids: [failed.id] })).code, 'refused')
})

test('a relay that hangs, or is gone, loses no mail', async () => {
  await using site = await openMailingSite()
  await site.relay[Symbol.asyncDispose]()
  await invite(site, 'anna@example.org')
  await until('the try is noted', async () => (await mails(site))[0]?.answer !== null)
  const [row] = await mails(site)
  assert.deepEqual([row.state, row.code], ['waiting', null])
  assert.match(row.answer, /^No connection to the relay: check its host and port/)
  // Half open: it takes the connection and says nothing.
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const { item } = await site.ok('SVC_Mail.set-relay', relayInput({ port }))
  silent.close()
  assert.match(item.error, /^The relay did not answer in time/)
})

test('encryption is asked for everywhere but near by, and a certificate that is not valid is named', async () => {
  await using relay = await openRelay()
  await using encrypted = await openRelay({ hideSTARTTLS: false, disabledCommands: [] })
  await using site = await openTestSite({ POSTERN_BASE_URL: 'https://example.org' })
  const error = async (input: Record<string, unknown>) => (await site.ok('SVC_Mail.set-relay', input)).item.error
  assert.match(await error(relayInput(relay, { security: 'starttls' })), /STARTTLS/)
  assert.match(await error(relayInput(encrypted, { security: 'starttls' })), /certificate/)
  assert.match(
    await error(relayInput(relay, { host: '198.51.100.7', security: 'none' })),
    /not a public address|without encryption/,
  )
  assert.equal((await site.ok('SVC_Mail.get-relay')).item.verified_at, null)
})

for (const engine of ['SQLite', 'PostgreSQL'] as const)
  test(`two processes with one queue send each mail once, and take over what one left in the middle: ${engine}`, async () => {
    await using site = await openMailingSite(engine, { per_minute: 1000 })
    await site.startOther()
    const emails = Array.from({ length: 20 }, (_, number) => `a${number}@example.org`)
    for (const email of emails) await invite(site, email)
    await taken(site, 20)
    assert.deepEqual(site.relay.taken.flatMap(({ to }) => to).toSorted(), emails.toSorted())
    await site.stopMailer()
    // A process that ended in the middle of a try.
    await invite(site, 'late@example.org')
    const claimed = { tries: 1, next_at: site.clock.at + 5 * minute, tried_at: site.clock.at }
    await site.site.store.write.updateTable('mail').set(claimed).where('state', '=', 'waiting').execute()
    await site.startOther()
    site.clock.at += 5 * minute
    await taken(site, 21)
    assert.deepEqual(site.relay.taken.at(-1)?.to, ['late@example.org'])
  })

test('the rate counts the mails of a minute', async () => {
  await using site = await openMailingSite(undefined, { per_minute: 3 })
  for (const number of [1, 2, 3, 4, 5]) await invite(site, `a${number}@example.org`)
  await taken(site, 3)
  await until('three are noted', async () => (await mails(site, { state: 'sent' })).length === 3)
  assert.equal((await mails(site, { state: 'waiting' })).length, 2)
  site.clock.at += minute + 1
  await taken(site, 5)
})

test('attack 166: no name, address or subject adds a header, a receiver or a command', async () => {
  await using site = await openMailingSite()
  for (const to of [
    'a@example.org, b@example.org',
    'A <a@example.org>',
    'a@example.org\r\nBcc: b@example.org',
    '😀@example.org',
    '"a b"@x.org',
  ])
    assert.equal((await site.fails('SVC_Mail.test', { to })).code, 'invalid', to)
  const names = { title: 'Bread\u2028Bcc: b@example.org, "x" <c@example.org>' }
  await site.ok('SVC_Settings.update', { set: { site_title: names.title } })
  await site.ok('SVC_Mail.set-relay', relayInput(site.relay, { from_name: '"Evil" <x@example.org>,\r\nBcc: b@example.org' }))
  await site.ok('SVC_Mail.test', { to: 'anna@example.org' })
  const [mail] = (await taken(site, 1)) as [Taken]
  assert.deepEqual([mail.from, mail.to], ['site@example.org', ['anna@example.org']])
  const headers = headersOf(mail)
  assert.deepEqual(
    headers
      .map((line) => line.split(':', 1)[0]?.toLowerCase())
      .filter((name) => ['bcc', 'cc', 'to', 'from'].includes(name ?? '')),
    ['from', 'to'],
  )
  assert.equal(
    headers.find((line) => line.startsWith('To:')),
    'To: anna@example.org',
  )
  assert.match(headers.find((line) => line.startsWith('From:')) ?? '', /<site@example\.org>$/)
})

test('changes of an account are told to its owner, at the address that it had', async () => {
  await using site = await openMailingSite()
  const anna = await site.account('anna@example.org', 'content')
  await site.ok('SVC_Accounts.update', { id: anna.id, email: 'mallory@example.com' })
  const [mail] = (await taken(site, 1)) as [Taken]
  assert.deepEqual(mail.to, ['anna@example.org'])
  assert.match(readable(mail), /now has another: mallory@example\.com/)
})

test('mails are listed for thirty days, and one that is of no use any more is not sent', async () => {
  await using site = await openMailingSite()
  await site.stopMailer()
  await invite(site, 'anna@example.org')
  site.clock.at += 4 * 24 * 60 * minute
  await site.startOther()
  await state(site, 'failed')
  const [row] = await mails(site)
  assert.equal(row.answer, 'It could not be sent in the time in which it is of use.')
  assert.deepEqual(site.relay.taken, [])
  site.clock.at += 27 * 24 * 60 * minute
  await removeExpired(site.site)
  assert.deepEqual(await mails(site), [])
})

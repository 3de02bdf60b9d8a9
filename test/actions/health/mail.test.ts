// The checks of mail: a relay that is not verified, a queue that stands still, a mail that was refused, and a domain without records.

import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { Resolver } from 'node:dns/promises'
import { once } from 'node:events'
import { test } from 'node:test'
import { checkMailDns } from '../../../src/actions/health/mail-dns.ts'
import { openTestSite, type TestSite } from '../../identity/open-test-site.ts'

const look = async (site: TestSite) => (await site.ok('SVC_Health.check', { only: ['mail'] })).items[0]

test('a relay that works, that is not verified, and a queue that stands still', async () => {
  await using site = await openTestSite()
  assert.equal((await look(site)).message, 'No mail relay is set.')
  assert.equal((await site.ok('SVC_Health.check', { only: ['mail-dns'] })).items[0].message, 'No mail relay is set.')
  await site.ok('SVC_Mail.set-relay', { host: '127.0.0.1', port: 9, security: 'none', from: 'site@example.org' })
  const unverified = await look(site)
  assert.equal(unverified.state, 'warning')
  assert.match(unverified.message, /^The mail relay is not verified, so no mail is sent: No connection to the relay/)
  const { write } = site.site.store
  await write.updateTable('mail_relay').set({ verified_at: site.clock.at, error: null }).execute()
  assert.equal((await look(site)).message, 'Mails are sent.')
  const none = { account_id: null, reply_to: null, body: null, until: null, tried_at: null, code: null, answer: null }
  const row = {
    kind: 'test',
    recipient: 'a@example.org',
    subject: 'A',
    tries: 0,
    created_at: site.clock.at,
    next_at: null,
    ...none,
  }
  await write
    .insertInto('mail')
    .values({ ...row, id: 'a', state: 'failed' })
    .execute()
  assert.equal((await look(site)).message, 'A mail of the last day was not sent.')
  await write
    .insertInto('mail')
    .values({ ...row, id: 'b', state: 'waiting', next_at: 1 })
    .execute()
  site.clock.at += 3_600_001
  assert.equal((await look(site)).message, 'A mail has waited for more than an hour.')
})

/** A server of the DNS with these records of text. It answers all other names with NXDOMAIN. */
async function openDns(records: Readonly<Record<string, string>>) {
  const socket = createSocket('udp4')
  socket.on('message', (asked, { port, address }) => {
    const labels: string[] = []
    let at = 12
    for (let length = asked[at] ?? 0; length > 0; length = asked[at] ?? 0) {
      labels.push(asked.subarray(at + 1, at + 1 + length).toString())
      at += length + 1
    }
    const text = records[labels.join('.')]
    const question = asked.subarray(12, at + 5)
    const header = Buffer.from([
      ...asked.subarray(0, 2),
      0x81,
      text === undefined ? 0x83 : 0x80,
      0,
      1,
      0,
      text === undefined ? 0 : 1,
      0,
      0,
      0,
      0,
    ])
    const data = Buffer.from(text ?? '')
    const answer = Buffer.from([0xc0, 12, 0, 16, 0, 1, 0, 0, 0, 1, 0, data.length + 1, data.length])
    socket.send(Buffer.concat([header, question, ...(text === undefined ? [] : [answer, data])]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver = new Resolver({ timeout: 2000, tries: 3 })
  resolver.setServers([`127.0.0.1:${socket.address().port}`])
  return { resolver, [Symbol.dispose]: () => socket.close() }
}

test('the records of the DNS that receivers look for', async () => {
  const spf = { 'example.org': 'v=spf1 include:relay.example ~all' }
  const dmarc = { '_dmarc.example.org': 'v=DMARC1; p=none' }
  const dkim = { 's1._domainkey.example.org': 'v=DKIM1; k=rsa; p=abc' }
  const missing = async (records: Record<string, string>, selector: string | null) => {
    using dns = await openDns(records)
    const { state, message } = await checkMailDns(dns.resolver, { from_address: 'site@example.org', dkim_selector: selector })
    return state === 'ok' ? 'none' : /no record for (\w+),/.exec(message)?.[1]
  }
  assert.equal(await missing({}, null), 'SPF')
  assert.equal(await missing({ 'example.org': 'something else' }, null), 'SPF')
  assert.equal(await missing(spf, null), 'DMARC')
  assert.equal(await missing({ ...spf, ...dmarc }, null), 'none')
  assert.equal(await missing({ ...spf, ...dmarc }, 's1'), 'DKIM')
  assert.equal(await missing({ ...spf, ...dmarc, ...dkim }, 's1'), 'none')
})

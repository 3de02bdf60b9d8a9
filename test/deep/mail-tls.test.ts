// A relay with TLS: a service takes one whose certificate is of an authority that it trusts, and for the name of the relay, with
// STARTTLS and from the first byte. The same relay is refused by a service that does not know the authority.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openRelay, readable, relayInput } from '../mail/relay-server.ts'
import { openSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

let folder: string
let key: Buffer
let cert: Buffer

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'postern-relay-'))
  const at = (name: string) => join(folder, name)
  const openssl = (words: string) => execFileSync('openssl', words.split(' '), { stdio: 'ignore', cwd: folder })
  const newKey = '-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes'
  openssl(`req -x509 ${newKey} -days 2 -subj /CN=authority -keyout ca.key -out ca.crt`)
  openssl(`req ${newKey} -subj /CN=localhost -keyout relay.key -out relay.csr`)
  await writeFile(at('names'), 'subjectAltName=DNS:localhost')
  openssl('x509 -req -in relay.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile names -out relay.crt')
  key = await readFile(at('relay.key'))
  cert = await readFile(at('relay.crt'))
})
after(() => rm(folder, { recursive: true, force: true }))

const openRelays = async () => ({
  starttls: await openRelay({ key, cert, hideSTARTTLS: false, disabledCommands: [], allowInsecureAuth: false }),
  tls: await openRelay({ key, cert, secure: true, disabledCommands: [], allowInsecureAuth: false }),
})

const set = (site: TestSite, port: number, security: string, host = 'localhost') =>
  site.call('SVC_Mail.set-relay', relayInput({ port }, { security, host, site_url: site.base }))

test('a relay with a certificate of a trusted authority is taken, and mails go through it', async () => {
  await using site = await openSite({ ownProcess: true, env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.crt') } })
  const relays = await openRelays()
  for (const security of ['starttls', 'tls'] as const) {
    await using relay = relays[security]
    const { item } = await set(site, relay.port, security)
    assert.deepEqual([item.verified_at !== null, item.error], [true, null], security)
    await site.call('SVC_Mail.test', { to: 'anna@example.com' })
    await until('the test mail came', () => relay.taken.length === 1)
    assert.match(readable(relay.taken[0] ?? assert.fail()), /Mails of the site arrive here/)
    // The certificate is not for the address, nor does the relay speak without TLS.
    const other = await set(site, relay.port, security, '127.0.0.1')
    assert.match(other.item.error ?? '', /certificate|altnames/, security)
    const wrong = await set(site, relay.port, security === 'tls' ? 'starttls' : 'tls')
    assert.equal(wrong.item.verified_at, null)
    assert.notEqual(wrong.item.error, null)
  }
})

test('a service that does not know the authority refuses both, says why, and sends nothing', async () => {
  await using site = await openSite({ ownProcess: true })
  const relays = await openRelays()
  for (const security of ['starttls', 'tls'] as const) {
    await using relay = relays[security]
    const { item } = await set(site, relay.port, security)
    assert.equal(item.verified_at, null)
    assert.match(item.error ?? '', /certificate/, security)
    await site.call('SVC_Accounts.create', { email: `${security}@example.org`, name: 'New', role: 'content' })
    assert.deepEqual(relay.taken, [])
  }
})

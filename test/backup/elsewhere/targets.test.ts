// The three kinds of targets against real servers: bytes come back as they went, half an upload is no backup, and refusals are in the
// words of the server.

import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { openTargetOf } from '../../../src/backup/elsewhere/kinds.ts'
import type { BackupTarget, SentBytes, TargetSettings } from '../../../src/backup/elsewhere/target.ts'
import { readConfig } from '../../../src/base/config.ts'
import { createOutbound } from '../../../src/outbound/outbound.ts'
import { quiet } from '../../store/open-test-store.ts'
import { failsWith } from '../backup-site.ts'
import { openDavServer } from './dav-server.ts'
import { openS3Server } from './s3-server.ts'
import { openSshServer } from './ssh-server.ts'

const outbound = createOutbound({ log: quiet, config: readConfig({}) })
const open = ({ settings, secret }: { readonly settings: TargetSettings; readonly secret: string }, more = {}): BackupTarget =>
  openTargetOf({ settings: { ...settings, ...more }, secret, outbound })

const name = 'postern-20261121T090000Z-7m2qk4.tar.sealed'
const signal = new AbortController().signal

function bytesOf(bytes: Buffer): SentBytes {
  return {
    bytes: bytes.length,
    async *read(start, end) {
      for (let at = start; at < end; at += 100_000) yield bytes.subarray(at, Math.min(at + 100_000, end))
    },
  }
}

/** Breaks off in the middle. */
const breaking = (bytes: Buffer): SentBytes => ({
  bytes: bytes.length,
  async *read(start, end) {
    yield bytes.subarray(start, Math.floor((start + end) / 2))
    if (end > bytes.length / 2) throw new Error('the disk is gone')
    yield bytes.subarray(Math.floor((start + end) / 2), end)
  },
})

async function fetched(target: BackupTarget, one = name): Promise<string> {
  const hash = createHash('sha256')
  await target.get(one, async (part) => void hash.update(part), signal)
  return hash.digest('hex')
}
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The whole life of files in a target. */
async function checkTarget(target: BackupTarget, largeBytes = 6_000_007): Promise<void> {
  assert.deepEqual(await target.list(signal), [])
  const [small, large] = [randomBytes(1000), randomBytes(largeBytes)]
  const others = [1, 2, 3].map((at) => name.replace('7m2qk4', `7m2qk${at + 4}`))
  await target.put(name, bytesOf(large), signal)
  for (const other of others) await target.put(other, bytesOf(small), signal)
  assert.deepEqual((await target.list(signal)).map((file) => [file.name, file.bytes]).sort(), [
    [name, large.length],
    ...others.map((other) => [other, small.length]),
  ])
  assert.equal(await fetched(target), hashOf(large))
  assert.equal(await fetched(target, others[0]), hashOf(small))
  // The same name again is the new file.
  await target.put(others[1] ?? '', bytesOf(large.subarray(0, 5000)), signal)
  assert.equal(await fetched(target, others[1]), hashOf(large.subarray(0, 5000)))
  for (const other of [...others, ...others]) await target.remove(other, signal)
  assert.deepEqual(
    (await target.list(signal)).map((file) => file.name),
    [name],
  )
  await assert.rejects(
    target.get(others[0] ?? '', async () => undefined, signal),
    failsWith('not_found', /no backup/),
  )

  const broken = others[0] ?? ''
  await assert.rejects(target.put(broken, breaking(large), signal))
  const ending = new AbortController()
  const stopped = target.put(
    broken,
    {
      ...bytesOf(large),
      async *read(start, end) {
        for await (const part of bytesOf(large).read(start, end)) {
          if (start > 0 || end === large.length) ending.abort()
          yield part
        }
      },
    },
    ending.signal,
  )
  await assert.rejects(stopped)
  await target.clean(broken, signal)
  assert.deepEqual(
    (await target.list(signal)).map((file) => file.name),
    [name],
  )
}

test('S3: what is sent comes back, in parts where it is large; an upload that broke off is no file and leaves no parts', async () => {
  await using server = await openS3Server()
  const target = open(server)
  await checkTarget(target, 35 * 1024 ** 2 + 7)
  assert.equal(server.uploads.size, 0)
  assert.equal([...server.objects.keys()].join(), `of/example.org/${name}`)
  assert.ok(server.asked.filter((line) => /partNumber=3/.test(line)).length > 0)
  // As a killed process leaves it.
  server.uploads.set('old', { key: `of/example.org/${name}`, parts: new Map() })
  server.uploads.set('other', { key: 'of/other', parts: new Map() })
  await target.clean(name, signal)
  assert.deepEqual([...server.uploads.keys()], ['other'])
})

test('S3: the refusal is in the words of the server, what passes is tried again, and no redirect is followed', async () => {
  await using server = await openS3Server()
  await assert.rejects(
    open({ ...server, secret: 'wrong' }).list(signal),
    failsWith('unreachable', /^127\.0\.0\.1:\d+ answered 403: SignatureDoesNotMatch: Said by S3\.$/),
  )
  let busy = 2
  server.instead = (_request, response) =>
    busy-- > 0 && Boolean(response.writeHead(503).end('<Error><Code>SlowDown</Code></Error>'))
  assert.deepEqual(await open(server).list(signal), [])
  const asked: string[] = []
  const elsewhere = createServer((request, response) => (asked.push(String(request.url)), response.end()))
  await new Promise<void>((ready) => elsewhere.listen(0, '127.0.0.1', ready))
  const { port } = elsewhere.address() as AddressInfo
  for (const to of [`http://127.0.0.1:${port}/`, '/here']) {
    server.instead = (_request, response) => Boolean(response.writeHead(307, { location: to }).end())
    await assert.rejects(
      open(server).put(name, bytesOf(randomBytes(9)), signal),
      failsWith('unreachable', /answered 307 and referred to/),
    )
  }
  assert.deepEqual(asked, [])
  elsewhere.close()
  // A server that repeats what it was sent does not tell the secret.
  server.instead = (_request, response) =>
    Boolean(response.writeHead(400).end(`<Error><Message>${server.secret}</Message></Error>`))
  await assert.rejects(open(server).list(signal), failsWith('unreachable', /answered 400: …\.$/))
})

test('attacks 116, 117: without consent no private address is connected to, and with it no link-local one', async () => {
  await using server = await openS3Server()
  await assert.rejects(
    open(server, { private_network: false }).list(signal),
    failsWith('unreachable', /127\.0\.0\.1 is not a public address\. Allow private networks/),
  )
  assert.deepEqual(server.asked, [])
  for (const address of ['http://169.254.169.254', 'http://[fd00:ec2::254]', 'http://100.100.100.200', 'http://0.0.0.0'])
    await assert.rejects(open(server, { address }).list(signal), failsWith('unreachable', /not a public address/))
  const ssh = { ...server.settings, kind: 'sftp' as const, host_key: `ssh-ed25519 ${'A'.repeat(60)}`, key_file: '/nowhere' }
  for (const [address, privateNetwork] of [
    ['sftp://127.0.0.1', false],
    ['sftp://169.254.169.254', true],
    ['sftp://localhost', false],
  ] as const)
    await assert.rejects(
      open({ settings: { ...ssh, address, private_network: privateNetwork }, secret: '' }).list(signal),
      failsWith('unreachable', /not a public address/),
    )
})

test('SFTP: what is sent comes back; the key of the host is checked, and the words are those of ssh or the server', async () => {
  await using server = await openSshServer()
  await checkTarget(open(server))
  assert.deepEqual(await readdir(server.folder), [name])
  await assert.rejects(
    open(server, { host_key: server.foreignKey }).list(signal),
    failsWith('unreachable', /Host key verification failed/),
  )
  await assert.rejects(open(server, { user: 'nobody-here' }).list(signal), failsWith('unreachable', /Permission denied/))
  await assert.rejects(
    open(server, { folder: '/proc/none' }).put(name, bytesOf(randomBytes(9)), signal),
    failsWith('unreachable', /refused: /),
  )
})

test('WebDAV: what is sent comes back; the refusal has the status', async () => {
  await using server = await openDavServer()
  await checkTarget(open(server))
  assert.deepEqual(await readdir(server.folder), [name])
  await assert.rejects(
    open({ ...server, secret: 'wrong' }).list(signal),
    failsWith('unreachable', /answered 401: the user or the password is wrong\.$/),
  )
})

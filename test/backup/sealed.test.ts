// The format of a sealed backup: whatever is changed, cut off, moved or put together in one is noticed, and only its own passphrase opens it.

import assert from 'node:assert/strict'
import { createDecipheriv, createHmac, hkdfSync, scryptSync } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSink } from '../../src/backup/archive-sink.ts'
import { openSource } from '../../src/backup/archive-source.ts'
import { hashFile } from '../../src/base/hash-file.ts'
import { readParts } from '../../src/backup/file-parts.ts'
import { chunkBytes, overheadBytes } from '../../src/backup/sealed-chunk.ts'
import { createSealing, headerBytes } from '../../src/backup/sealed-header.ts'
import { fc } from '../properties.ts'
import { openTestFolder } from '../store/open-test-store.ts'
import { failsWith } from './backup-site.ts'

const passphrase = 'correct horse battery'
/** So that hundreds of headers can be opened. */
const cheap = { log2N: 10, r: 1, p: 1 }

/** Bytes that tell where they were. */
const bytesOf = (length: number, seed = 0): Buffer =>
  Buffer.from(Array.from({ length }, (_, at) => (at * 7 + (at >> 8) + seed) & 255))

async function seal(path: string, parts: readonly Uint8Array[], words = passphrase): Promise<Buffer> {
  const sink = await openSink(path, await createSealing(words, cheap))
  for (const part of parts) await sink.write(part)
  const { bytes, sha256 } = await sink.finish()
  await sink.close()
  assert.equal(await hashFile(path), sha256)
  const file = await readFile(path)
  assert.equal(file.length, bytes)
  return file
}

async function openAll(path: string, words: string | undefined = passphrase): Promise<Buffer> {
  const source = await openSource(path, words)
  try {
    const parts: Buffer[] = []
    for await (const part of readParts(source, 0, source.bytes)) parts.push(Buffer.from(part))
    return Buffer.concat(parts)
  } finally {
    await source.close()
  }
}

const full = chunkBytes + overheadBytes
const chunk = (file: Buffer, at: number): Buffer => file.subarray(headerBytes + at * full, headerBytes + (at + 1) * full)

test('what is sealed comes out again, whatever its length and however it was written', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'x')
  for (const length of [1, 1000, chunkBytes - 1, chunkBytes, chunkBytes + 1, 3 * chunkBytes]) {
    await rm(path, { force: true })
    const bytes = bytesOf(length)
    const file = await seal(path, [bytes.subarray(0, 333), bytes.subarray(333, 333), bytes.subarray(333)])
    assert.equal(file.length, headerBytes + length + overheadBytes * Math.ceil(length / chunkBytes))
    assert.deepEqual(await openAll(path), bytes)
  }
})

test('the format is the one that docs/backups.md writes down: Node’s own cryptography opens it by that alone', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'x')
  const bytes = bytesOf(chunkBytes + 10)
  const file = await seal(path, [bytes], 'Ångström und mehr')
  assert.equal(file.toString('latin1', 0, 16), 'postern-sealed-1')
  const [log2N = 0, r = 0, p = 0] = file.subarray(16, 19)
  const open = file.subarray(0, 52)
  const secret = scryptSync('Ångström und mehr'.normalize('NFC'), file.subarray(20, 52), 32, { N: 2 ** log2N, r, p })
  const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, open, `postern backup ${purpose}`, 32))
  assert.deepEqual(createHmac('sha256', derive('header')).update(open).digest(), file.subarray(52, 84))
  const found = [0, 1].map((at) => {
    const sealed = file.subarray(84 + at * 65_564).subarray(0, 65_564)
    const place = Buffer.from([0, 0, 0, 0, 0, 0, 0, at, at === 1 ? 1 : 0])
    const opening = createDecipheriv('aes-256-gcm', derive('chunks'), sealed.subarray(0, 12)).setAAD(place)
    opening.setAuthTag(sealed.subarray(-16))
    return Buffer.concat([opening.update(sealed.subarray(12, -16)), opening.final()])
  })
  assert.deepEqual(Buffer.concat(found), bytes)
})

test('attack 141: another passphrase, or none, opens nothing, and is told in a sentence', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'x')
  const file = await seal(path, [bytesOf(1000)])
  await assert.rejects(
    openAll(path, 'another passphrase'),
    failsWith('refused', /^This passphrase does not open the backup: it was sealed/),
  )
  const without = openSource(path, undefined)
  await assert.rejects(without, failsWith('refused', /^This backup is sealed\. Give the passphrase/))
  assert.ok(!file.includes(bytesOf(1000).subarray(100, 140)))
})

const forgeries: readonly { rule: string; forge: (file: Buffer, other: Buffer) => Buffer }[] = [
  { rule: 'its last chunk is gone', forge: (file) => file.subarray(0, headerBytes + 2 * full) },
  { rule: 'it ends within a chunk', forge: (file) => file.subarray(0, -5) },
  { rule: 'only its header is there', forge: (file) => file.subarray(0, headerBytes) },
  { rule: 'half of its header is there', forge: (file) => file.subarray(0, 40) },
  { rule: 'something stands behind its end', forge: (file) => Buffer.concat([file, Buffer.from('more')]) },
  { rule: 'its end stands there twice', forge: (file) => Buffer.concat([file, file.subarray(headerBytes + 2 * full)]) },
  {
    rule: 'two chunks have changed places',
    forge: (file) =>
      Buffer.concat([file.subarray(0, headerBytes), chunk(file, 1), chunk(file, 0), file.subarray(headerBytes + 2 * full)]),
  },
  {
    rule: 'a chunk is left out',
    forge: (file) => Buffer.concat([file.subarray(0, headerBytes), file.subarray(headerBytes + full)]),
  },
  {
    rule: 'a chunk comes from another backup with the same passphrase',
    forge: (file, other) =>
      Buffer.concat([file.subarray(0, headerBytes + full), chunk(other, 1), file.subarray(headerBytes + 2 * full)]),
  },
  {
    rule: 'its header comes from another backup with the same passphrase',
    forge: (file, other) => Buffer.concat([other.subarray(0, headerBytes), file.subarray(headerBytes)]),
  },
]
for (const { rule, forge } of forgeries) {
  test(`a sealed backup is refused where ${rule}`, async () => {
    await using folder = await openTestFolder()
    const [path, other] = ['x', 'y'].map((name) => join(folder.path, name)) as [string, string]
    const file = await seal(path, [bytesOf(2 * chunkBytes + 100)])
    await writeFile(path, forge(file, await seal(other, [bytesOf(2 * chunkBytes + 100, 1)])))
    await assert.rejects(openAll(path), failsWith('unprocessable', /^This sealed backup is damaged: /))
  })
}

test('a sealed backup in which any byte is another is refused', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'x')
  const whole = await seal(path, [bytesOf(chunkBytes + 500)])
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.nat(headerBytes - 1), fc.nat(whole.length - 1)),
      fc.integer({ min: 1, max: 255 }),
      async (at, flip) => {
        const bytes = Buffer.from(whole)
        bytes.writeUInt8((whole[at] ?? 0) ^ flip, at)
        await writeFile(path, bytes)
        // Without its mark it is no sealed backup at all, and its bytes stay as they are.
        const found = await openAll(path).catch(() => undefined)
        assert.ok(found === undefined || found.equals(bytes))
      },
    ),
    { numRuns: 150 },
  )
})

test('a header may not ask for more memory or work than a backup of ours', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'x')
  const whole = await seal(path, [bytesOf(10)])
  for (const cost of [
    [24, 8, 1],
    [31, 1, 1],
    [16, 255, 255],
    [16, 8, 200],
    [0, 8, 1],
    [16, 0, 1],
    [16, 8, 0],
  ]) {
    const bytes = Buffer.from(whole)
    bytes.set(cost, 16)
    await writeFile(path, bytes)
    await assert.rejects(openAll(path), failsWith('unprocessable', /asks for more work/), cost.join())
  }
})

test('what is taken back while it is sealed leaves no trace in what comes out, nor a nonce that is used twice', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'x')
  const sink = await openSink(path, await createSealing(passphrase, cheap))
  await sink.write(bytesOf(chunkBytes + 100))
  const takeBack = sink.mark()
  await sink.write(bytesOf(3 * chunkBytes, 5))
  const during = await readFile(path)
  takeBack()
  await sink.write(bytesOf(3 * chunkBytes, 9))
  await sink.finish()
  await sink.close()
  assert.deepEqual(await openAll(path), Buffer.concat([bytesOf(chunkBytes + 100), bytesOf(3 * chunkBytes, 9)]))
  const nonces = [during, await readFile(path)].map((file) => chunk(file, 1).subarray(0, 12).toString('hex'))
  assert.notEqual(nonces[0], nonces[1])
})

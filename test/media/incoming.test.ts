// Files on their way to one call: each is taken once, gone after an hour, and nothing of one that breaks off stays.

import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { dropIncoming, findIncoming, keepIncoming, sweepIncoming, takeIncoming } from '../../src/media/incoming.ts'

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'postern-incoming-'))
})
afterEach(() => rm(home, { recursive: true, force: true }))

const now = Date.now()
const inAnHour = now + 3_700_000
const arrive = (...parts: string[]) => keepIncoming(home, Readable.from(parts.map((part) => Buffer.from(part))), 10, now)
const keep = async (...parts: string[]) => (await arrive(...parts)).id
const left = () => readdir(join(home, 'data', 'incoming'))

test('a file is taken once, by its id, and nobody else can read it', async () => {
  const id = await keep('abc', 'def')
  assert.equal((await stat(join(home, 'data', 'incoming', id))).mode & 0o777, 0o600)
  const file = await takeIncoming(home, id, now)
  assert.equal(await readFile(file ?? '', 'utf8'), 'abcdef')
  assert.equal(await takeIncoming(home, id, now), undefined)
})

test('what arrived is measured and hashed on its way', async () => {
  const { bytes, sha256 } = await arrive('abc', 'def')
  assert.deepEqual([bytes, sha256], [6, createHash('sha256').update('abcdef').digest('hex')])
})

test('of two that take at once, one has it', async () => {
  const id = await keep('x')
  const taken = await Promise.all([takeIncoming(home, id, now), takeIncoming(home, id, now)])
  assert.equal(taken.filter((file) => file !== undefined).length, 1)
})

test('after an hour it is not found any more, and swept; also where it was taken by a call that a crash ended', async () => {
  const id = await keep('x')
  await takeIncoming(home, await keep('y'), now)
  assert.equal(await findIncoming(home, id, inAnHour), undefined)
  await sweepIncoming(home, inAnHour)
  assert.deepEqual(await left(), [])
})

test('a file above the limit, and one whose sender breaks off, leave nothing', async () => {
  await assert.rejects(keep('12345', '678901'), (error) => error instanceof Failure && error.code === 'too_large')
  const broken = Readable.from(
    (async function* () {
      yield Buffer.from('x')
      throw new Error('cut off')
    })(),
  )
  await assert.rejects(keepIncoming(home, broken, 10, now), /cut off/)
  assert.deepEqual(await left(), [])
})

test('what is no id leads to no file', async () => {
  await keep('x')
  await writeFile(join(home, 'data', 'secret'), 'x')
  for (const id of ['../secret', 'secret', '', '.', '01K00000000000000000000000']) {
    assert.equal(await takeIncoming(home, id, now), undefined, id)
    await dropIncoming(home, id)
  }
  assert.equal((await left()).length, 1)
})

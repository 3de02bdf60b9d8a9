// Password hashes: what is stored, what fits it, how long a guess takes.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { hashPassword, verifyPassword } from '../../src/identity/password.ts'

const isInvalid = (error: unknown) => error instanceof Failure && error.code === 'invalid'

test('a password fits its own hash and no other, with a salt for each', async () => {
  const [one, two] = [await hashPassword('correct horse'), await hashPassword('correct horse')]
  assert.notEqual(one, two)
  assert.match(one, /^scrypt\$32768\$8\$3\$[\w-]{22}\$[\w-]{43}$/)
  assert.equal(await verifyPassword('correct horse', one), true)
  assert.equal(await verifyPassword('correct horsf', one), false)
})

test('a letter with an accent is the same however a keyboard writes it', async () => {
  assert.equal(await verifyPassword('cafe\u0301 cafe\u0301', await hashPassword('café café')), true)
})

test('a password has 10 to 1024 bytes', async () => {
  await assert.rejects(hashPassword('123456789'), isInvalid)
  await assert.rejects(hashPassword('ä'.repeat(513)), isInvalid)
  await hashPassword('ä'.repeat(512))
})

test('attack 62: without a hash the answer is no, and as much work', async () => {
  const workOf = async (stored: string | undefined) => {
    const before = process.cpuUsage()
    assert.equal(await verifyPassword('some password', stored), false)
    return process.cpuUsage(before).user
  }
  const real = await workOf(await hashPassword('another password'))
  assert.ok((await workOf(undefined)) > real / 3)
})

test('attack 71: of a hundred at once two are hashed, 64 wait for their turn and get it, and the others are turned away', async () => {
  const quick = `scrypt$2$8$1$${'A'.repeat(22)}$${'A'.repeat(43)}`
  const all = await Promise.allSettled(Array.from({ length: 100 }, () => verifyPassword('some password', quick)))
  const reasons = all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Failure).code))
  assert.deepEqual(reasons, [...Array(66).fill(false), ...Array(34).fill('unavailable')])
})

test('a damaged hash is an error, not a no', async () => {
  await assert.rejects(verifyPassword('some password', 'scrypt$32768$8$3$x$y'), /damaged/)
})

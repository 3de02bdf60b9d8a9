// Codes of authenticator apps against the vectors of RFC 4226 and RFC 6238.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTotpStep, hotp, toBase32, totpAddress, totpStep } from '../../src/identity/totp.ts'

const ascii = '1234567890'
const secrets = {
  sha1: Buffer.from(ascii.repeat(2)),
  sha256: Buffer.from(ascii.repeat(4).slice(0, 32)),
  sha512: Buffer.from(ascii.repeat(7).slice(0, 64)),
} as const

test('RFC 4226 appendix D: the first ten codes of the secret', () => {
  const expected = '755224 287082 359152 969429 338314 254676 287922 162583 399871 520489'.split(' ')
  assert.deepEqual(
    expected.map((_, counter) => hotp(secrets.sha1, counter)),
    expected,
  )
})

/** RFC 6238 appendix B: seconds, and the code for each algorithm. */
const vectors: readonly (readonly [number, string, string, string])[] = [
  [59, '94287082', '46119246', '90693936'],
  [1_111_111_109, '07081804', '68084774', '25091201'],
  [1_111_111_111, '14050471', '67062674', '99943326'],
  [1_234_567_890, '89005924', '91819424', '93441116'],
  [2_000_000_000, '69279037', '90698825', '38618901'],
  [20_000_000_000, '65353130', '77737706', '47863826'],
]

for (const [seconds, sha1, sha256, sha512] of vectors)
  test(`RFC 6238 appendix B: the codes at ${seconds} seconds`, () => {
    const step = totpStep(seconds * 1000)
    assert.equal(hotp(secrets.sha1, step, 8), sha1)
    assert.equal(hotp(secrets.sha256, step, 8, 'sha256'), sha256)
    assert.equal(hotp(secrets.sha512, step, 8, 'sha512'), sha512)
    assert.equal(findTotpStep(secrets.sha1, sha1.slice(2), seconds * 1000), step)
  })

test('a code is found one step before and after its own, and no further', () => {
  const at = 1_111_111_111_000
  const code = hotp(secrets.sha1, totpStep(at))
  const found = [-61_000, -30_000, 0, 30_000, 61_000].map((ms) => findTotpStep(secrets.sha1, code, at + ms))
  assert.deepEqual(found, [undefined, totpStep(at), totpStep(at), totpStep(at), undefined])
  for (const wrong of ['', '1', `${code}0`, 'abcdef']) assert.equal(findTotpStep(secrets.sha1, wrong, at), undefined)
})

test('RFC 4648 §10: base32, without its padding', () => {
  const expected: Readonly<Record<string, string>> = {
    '': '',
    f: 'MY',
    fo: 'MZXQ',
    foo: 'MZXW6',
    foob: 'MZXW6YQ',
    fooba: 'MZXW6YTB',
    foobar: 'MZXW6YTBOI',
  }
  for (const [text, base32] of Object.entries(expected)) assert.equal(toBase32(Buffer.from(text)), base32)
})

test('the address for the app names site and account, whatever is in the name', () => {
  const address = new URL(totpAddress(secrets.sha1, 'A: B & C?', 'me@example.org'))
  assert.equal(address.searchParams.get('secret'), toBase32(secrets.sha1))
  assert.equal(address.searchParams.get('issuer'), 'A  B & C?')
  assert.equal(decodeURIComponent(address.pathname), '/A  B & C?:me@example.org')
})

// Settings from the environment: what is left out, what makes no sense, and that all of it is told together.

import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { basePathOf, ownHostsOf, readConfig, unknownSettings } from '../../src/base/config.ts'

test('what is unset or empty has its default', () => {
  const config = readConfig({ POSTERN_PORT: '', POSTERN_COMPAT: '  ' })
  assert.equal(config.POSTERN_PORT, 8080)
  assert.equal(config.POSTERN_COMPAT, '1')
  assert.ok(config.POSTERN_HOME.startsWith('/'))
  assert.equal(basePathOf(config), '')
  assert.equal(ownHostsOf(config), undefined)
})

for (const [name, value] of [
  ['POSTERN_PORT', '80a'],
  ['POSTERN_PORT', '70000'],
  ['POSTERN_COMPAT', '0.12'],
  ['POSTERN_BASE_URL', 'example.org'],
  ['POSTERN_BASE_URL', 'https://example.org/?x=1'],
  ['POSTERN_BASE_URL', 'ftp://example.org'],
  ['POSTERN_BASE_PATH', '/b log'],
  ['POSTERN_BASE_PATH', '/..'],
  ['POSTERN_ALLOWED_HOSTS', 'exa/mple'],
  ['POSTERN_TRUSTED_PROXIES', '10.0.0.0/40'],
  ['POSTERN_TRUSTED_PROXIES', 'everybody'],
  ['POSTERN_TRUSTED_PROXIES', '10.0.0.0/8/9'],
  ['POSTERN_TRUSTED_PROXIES', '::ffff:10.0.0.0/64'],
  ['POSTERN_TRUSTED_PROXIES', 'fe80::1%eth0'],
  ['POSTERN_TRUSTED_PROXIES', ', ,'],
  ['POSTERN_ALLOWED_HOSTS', ','],
  ['POSTERN_DATABASE_URL', 'mysql://localhost/x'],
  ['POSTERN_RATE_LIMITS', 'maybe'],
  ['POSTERN_CHROMIUM', 'chromium'],
  ['POSTERN_MAX_JSON_BYTES', '-1'],
] as const) {
  test(`${name}=${value} stops the start with a line that names it and says what it must be`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) =>
        error.message.startsWith(`${name}=${value} `) && error.message.includes('must be') && !error.message.includes('\n'),
    )
  })
}

test('all that makes no sense is told together, a line each', () => {
  assert.throws(
    () => readConfig({ POSTERN_PORT: 'x', POSTERN_COMPAT: 'y', POSTERN_BASE_URL: 'https://h/blog', POSTERN_BASE_PATH: '/other' }),
    (error: Error) => error.message.split('\n').length === 3 && /disagrees/.test(error.message),
  )
})

test('own hosts are those allowed, else the base address with and without www', () => {
  assert.deepEqual(ownHostsOf(readConfig({ POSTERN_BASE_URL: 'https://example.org/blog' })), ['example.org', 'www.example.org'])
  assert.deepEqual(ownHostsOf(readConfig({ POSTERN_BASE_URL: 'https://www.example.org' })), ['www.example.org', 'example.org'])
  assert.deepEqual(ownHostsOf(readConfig({ POSTERN_BASE_URL: 'https://a.org', POSTERN_ALLOWED_HOSTS: 'B.org, c.org:8443' })), [
    'b.org',
    'c.org:8443',
  ])
  assert.equal(basePathOf(readConfig({ POSTERN_BASE_URL: 'https://example.org/blog/' })), '/blog')
})

test('a misspelt setting is found', () => {
  assert.deepEqual(unknownSettings({ POSTERN_PROT: '1', POSTERN_PORT: '1', PATH: 'x' }), ['POSTERN_PROT'])
})

test('attack 123: a password in a setting that makes no sense is not repeated', () => {
  for (const [name, scheme] of [
    ['POSTERN_DATABASE_URL', 'mysql'],
    ['POSTERN_BASE_URL', 'postgres'],
  ] as const)
    assert.throws(
      () => readConfig({ [name]: `${scheme}://me:hunter2@db.example/x` }),
      (error: Error) => error.message.startsWith(name) && !error.message.includes('hunter2'),
    )
})

test('systemd’s credential is the password of the database where no file is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-credentials-'))
  try {
    const read = (env: Record<string, string>) =>
      readConfig({ CREDENTIALS_DIRECTORY: folder, ...env }).POSTERN_DATABASE_PASSWORD_FILE
    assert.equal(read({}), undefined)
    await writeFile(join(folder, 'database-password'), 'secret\n')
    assert.equal(read({}), join(folder, 'database-password'))
    assert.equal(read({ POSTERN_DATABASE_PASSWORD_FILE: '/else' }), '/else')
  } finally {
    await rm(folder, { recursive: true })
  }
})

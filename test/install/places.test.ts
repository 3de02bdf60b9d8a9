// What is said of places, settings and addresses in several files is said alike, and read as systemd reads it.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { paths, placesBelow } from '../../src/install/places.ts'
import { hostOf } from '../../src/install/service.ts'
import { parseProcesses, parseSettings, readServiceEnv, settingsText, withProcesses } from '../../src/install/settings-file.ts'
import { root } from '../site.ts'

test('the units and nginx’s files name the places that an install makes', async () => {
  for (const name of ['postern.service', 'postern-backup.service']) {
    const unit = await readFile(join(root, 'systemd', name), 'utf8')
    assert.ok(unit.includes(`WorkingDirectory=${paths.current}\n`))
    assert.ok(unit.includes(`POSTERN_HOME=${paths.home} POSTERN_BACKUPS=${paths.backups}\n`))
    assert.ok(unit.includes(`EnvironmentFile=-${paths.settings}\n`))
    assert.ok(unit.includes('ExecStart=/usr/bin/node '))
  }
  assert.ok((await readFile(join(root, 'nginx/snippets/postern-site.conf'), 'utf8')).includes(`root ${paths.home};`))
})

test('a place below a root is in it, and without one where it is', () => {
  assert.equal(placesBelow('/tmp/x').at(paths.home), '/tmp/x/var/lib/postern/site')
  assert.equal(placesBelow('/').at(paths.home), '/var/lib/postern/site')
  assert.equal(placesBelow('').at(paths.home), '/var/lib/postern/site')
})

for (const [rule, text, found] of [
  ['plain', 'A=1\nB=two words', { A: '1', B: 'two words' }],
  ['in quotes', `A="1"\nB='2'`, { A: '1', B: '2' }],
  ['with an equals sign in it', 'A=b=c', { A: 'b=c' }],
  ['beside comments and empty lines', '# A=1\n; B=2\n\nC=3\n', { C: '3' }],
  ['empty', 'A=', { A: '' }],
] as const) {
  test(`a setting is read from the file: ${rule}`, () => assert.deepEqual(parseSettings(text), found))
}

test('the first settings are read back, and have nothing where there is no address yet', () => {
  assert.deepEqual(parseSettings(settingsText('https://example.org/blog', 1)), { POSTERN_BASE_URL: 'https://example.org/blog' })
  assert.deepEqual(parseSettings(settingsText(undefined, 1)), {})
  assert.deepEqual(parseSettings(settingsText(undefined, 4)), { POSTERN_PROCESSES: '4' })
})

test('the number of processes is one line of the settings, changed without touching the others, and gone with one process', () => {
  const text = '# Mine\nPOSTERN_BASE_URL=https://example.org\n  POSTERN_PROCESSES=3\nPOSTERN_LOG_LEVEL=warn\n'
  const others = '# Mine\nPOSTERN_BASE_URL=https://example.org\nPOSTERN_LOG_LEVEL=warn\n'
  assert.equal(withProcesses(text, 4), `${others}POSTERN_PROCESSES=4\n`)
  assert.equal(withProcesses(text, 1), others)
  assert.equal(withProcesses('', 2), 'POSTERN_PROCESSES=2\n')
  assert.deepEqual(['1', '64', '0', '65', '-1', '2.0', 'two', ''].map(parseProcesses), [1, 64, ...Array(6).fill(undefined)])
})

test('what the service has as its environment names places as they are found from here', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-places-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const places = placesBelow(folder)
  assert.equal((await readServiceEnv(places))['POSTERN_HOME'], join(folder, paths.home))
  await mkdir(places.at(paths.etc), { recursive: true })
  await writeFile(places.at(paths.settings), 'POSTERN_HOME=/srv/site\nPOSTERN_LOG_LEVEL=warn\n')
  const env = await readServiceEnv(places)
  assert.equal(env['POSTERN_HOME'], join(folder, '/srv/site'))
  assert.equal(env['POSTERN_BACKUPS'], join(folder, paths.backups))
  assert.equal(env['POSTERN_LOG_LEVEL'], 'warn')
})

for (const [stream, host] of [
  ['127.0.0.1:8080', '127.0.0.1:8080'],
  ['8080', '127.0.0.1:8080'],
  ['0.0.0.0:80', '127.0.0.1:80'],
  ['[::]:80', '127.0.0.1:80'],
  ['[::1]:80', '[::1]:80'],
  ['10.0.0.1:80', '10.0.0.1:80'],
] as const) {
  test(`a socket on ${stream} is asked at ${host}`, () => assert.equal(hostOf(stream), host))
}

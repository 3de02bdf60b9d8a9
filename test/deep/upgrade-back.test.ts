// Upgrades that don't hold: to a release that does not start, and to one whose migration the one before can't run on. The way back is the link
// or the backup.

import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { test } from 'node:test'
import { makeRelease, openMachine } from '../installed.ts'

test('where the release before can’t run on the database, a rollback says what was written since, and restores when told', async () => {
  await using machine = await openMachine()
  const contract = await makeRelease({ version: '2.0.0', migration: '0900-later-contract' })
  const old = await machine.current()
  await machine.api('SVC_Content.create', { type: 'page', title: 'Before', status: 'published' })
  const upgraded = await machine.change(['upgrade', '--from', contract.folder])
  assert.equal(upgraded.code, 0, upgraded.stderr)
  const release = await machine.current()
  await machine.api('SVC_Content.create', { type: 'page', title: 'Since' })
  const refused = await machine.change(['rollback'])
  assert.equal(refused.code, 4)
  assert.match(
    refused.stderr,
    /can't run on the database any more[^]*Written since, and not in the backup:\n.* SVC_Content.create by Owner: Creates an entry, as a draft/,
  )
  assert.match(refused.stderr, /Try: postern rollback --restore/)
  assert.equal(await machine.current(), release)
  const back = await machine.change(['rollback', '--restore'])
  assert.equal(back.code, 0, back.stderr)
  assert.equal(await machine.current(), old)
  assert.equal((await machine.get('/before')).status, 200)
  assert.equal((await machine.api('SVC_Content.get', { id: '/since' })).status, 404)
})

test('a release that does not start, and took from the database what the one before needs, is taken back with the backup', async () => {
  await using machine = await openMachine()
  const both = await makeRelease({ version: '3.0.0', migration: '0900-later-contract', broken: true })
  await machine.api('SVC_Content.create', { type: 'page', title: 'Before', status: 'published' })
  const old = await machine.current()
  const failed = await machine.change(['upgrade', '--from', both.folder, '--ready-seconds', '15'])
  assert.equal(failed.code, 5, failed.stderr)
  assert.equal(await machine.current(), old)
  assert.equal((await machine.get('/before')).status, 200)
})

test('a release that does not start is taken back, and the site goes on with the one before', async () => {
  await using machine = await openMachine()
  const broken = await makeRelease({ version: '1.2.0', migration: '0900-later', broken: true })
  const old = await machine.current()
  const releases = () => readdir(machine.at('/opt/postern/releases'))
  const before = await releases()
  const failed = await machine.change(['upgrade', '--from', broken.folder, '--ready-seconds', '15'])
  assert.equal(failed.code, 5, failed.stderr)
  assert.match(failed.stderr, /not ready after 15 seconds/)
  assert.match(failed.stderr, /All steps were undone\./)
  assert.equal(await machine.current(), old)
  assert.equal((await machine.get('/readyz')).status, 200)
  assert.deepEqual(await releases(), before)
})

// What the doctor says of an upgrade: what was broken before, or not looked at, is no reason to go back; what is broken since is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeRelease, openMachine } from '../installed.ts'

test('an upgrade after which more is broken than before is taken back; one after which the same is broken, or what nobody looked at, stays', async () => {
  const first = await makeRelease({ version: '1.0.1', finds: { address: 'broken', 'lost-token': 'ok' } })
  const worse = await makeRelease({ version: '1.1.0', finds: { address: 'broken', 'lost-token': 'broken' } })
  const alike = await makeRelease({ version: '1.2.0', finds: { address: 'broken', 'lost-token': 'ok', new: 'broken' } })
  await using machine = await openMachine(first.folder)
  const old = await machine.current()
  const failed = await machine.change(['upgrade', '--from', worse.folder])
  assert.equal(failed.code, 1, failed.stderr)
  assert.match(failed.stderr, /The doctor finds rows broken that were well before: lost-token\./)
  assert.equal(await machine.current(), old)
  assert.equal((await machine.get('/readyz')).status, 200)
  const upgraded = await machine.change(['upgrade', '--from', alike.folder])
  assert.equal(upgraded.code, 0, upgraded.stderr)
  assert.match(await machine.current(), /^1\.2\.0-/)
})

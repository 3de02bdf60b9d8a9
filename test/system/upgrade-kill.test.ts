// An upgrade that is ended at any moment, as by a power cut: what starts afterwards answers, and is the old release or the new one, whole.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Machine, makeRelease, openMachine } from '../installed.ts'
import { root } from '../site.ts'

/** New moments are looked at in a deep run, a few otherwise. */
const kills = process.env['TEST_CASES'] === 'new' ? 20 : 4

/** Starts an upgrade and ends it, by SIGKILL, so long after its first word. @returns the last step it told */
async function killedUpgrade(machine: Machine, from: string, afterMs: number): Promise<string> {
  const words = machine.changeWords(['upgrade', '--from', from])
  const child = spawn(process.execPath, [join(root, 'scripts', 'postern'), ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  const ended = once(child, 'exit')
  await Promise.race([once(child.stderr, 'data'), ended])
  await Promise.race([sleep(afterMs), ended])
  child.kill('SIGKILL')
  await ended
  return said.trim().split('\n').at(-1) ?? ''
}

test('an upgrade that is killed at any moment leaves a site that starts, with the old release or the new one', async () => {
  await using machine = await openMachine()
  await using next = await makeRelease({ version: '1.1.0', migration: '0900-later' })
  await machine.api('SVC_Content.create', { type: 'page', title: 'Before', status: 'published' })
  const old = await machine.current()
  const longest = 6000
  for (let kill = 0; kill < kills; kill++) {
    const last = await killedUpgrade(machine, next.folder, ((kill + Math.random()) * longest) / kills)
    const current = await machine.current()
    assert.ok(current === old || current.startsWith('1.1.0-'), current)
    for (const name of ['dist/main.js', 'node_modules/sqlite3/package.json', 'package.json'])
      assert.ok(existsSync(machine.at(`/opt/postern/releases/${current}/${name}`)), `${name} after: ${last}`)
    await machine.service('restart')
    assert.equal((await machine.get('/readyz')).status, 200, last)
    assert.equal((await machine.get('/before')).status, 200, last)
    if (current !== old) assert.equal((await machine.change(['rollback'])).code, 0)
  }
  // What a killed child still did is done, and what was left half done is in nobody's way.
  let upgraded = await machine.change(['upgrade', '--from', next.folder])
  for (; /being made or tried/.test(upgraded.stderr); await sleep(500))
    upgraded = await machine.change(['upgrade', '--from', next.folder])
  assert.equal(upgraded.code, 0, upgraded.stderr)
  assert.match(await machine.current(), /^1\.1\.0-/)
})

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

/** How many steps an upgrade tells, and how long after one it is ended at the latest. */
const steps = 13
const laterMs = 400

/** Starts an upgrade and ends it, by SIGKILL, a moment after it has told so many steps. @returns what it told */
async function killedUpgrade(machine: Machine, from: string, after: number): Promise<string> {
  const words = machine.changeWords(['upgrade', '--from', from])
  const child = spawn(process.execPath, [join(root, 'scripts', 'postern'), ...words], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (part: Buffer) => (said += part.toString()))
  const ended = once(child, 'exit')
  while (said.split('\n').length <= after && child.exitCode === null) await sleep(5)
  await Promise.race([sleep(Math.random() * laterMs), ended])
  child.kill('SIGKILL')
  await ended
  return said
}

test('an upgrade that is killed at any moment leaves a site that starts, with the old release or the new one', async () => {
  await using machine = await openMachine()
  const next = await makeRelease({ version: '1.1.0', migration: '0900-later' })
  await machine.api('SVC_Content.create', { type: 'page', title: 'Before', status: 'published' })
  const old = await machine.current()
  for (let moment = 1; moment <= steps; moment++) {
    const last = await killedUpgrade(machine, next.folder, moment)
    const current = await machine.current()
    assert.ok(current === old || current.startsWith('1.1.0-'), current)
    for (const name of ['dist/main.js', 'node_modules/sqlite3/package.json', 'package.json'])
      assert.ok(existsSync(machine.at(`/opt/postern/releases/${current}/${name}`)), `${name} after: ${last}`)
    await machine.service('restart')
    assert.equal((await machine.get('/readyz')).status, 200, last)
    assert.equal((await machine.get('/before')).status, 200, last)
    if (current === old) continue
    const back = await machine.change(['rollback'])
    assert.equal(back.code, 0, back.stderr)
  }
  // What a killed child still did is done, and what was left half done is in nobody's way. Ended between the switch and the restart, an upgrade
  // leaves the older service running from the newer link, until the command is given again.
  const interrupted = () => machine.change(['upgrade', '--from', next.folder, '--restart-command', 'kill -9 $PPID; :'])
  let ended = await interrupted()
  for (; /being made or tried/.test(ended.stderr); await sleep(500)) ended = await interrupted()
  assert.match(ended.stderr, /\nRestarts the service: kill -9 \$PPID; : restart\n$/)
  assert.match(await machine.current(), /^1\.1\.0-/)
  const startedAt = async () => {
    const { text } = await machine.get('/metrics', { headers: { authorization: `Bearer ${machine.token}` } })
    return /^process_start_time_seconds (\d+)$/m.exec(text)?.[1]
  }
  const older = await startedAt()
  assert.ok(older)
  const upgraded = await machine.change(['upgrade', '--from', next.folder, '--json'])
  assert.equal(upgraded.code, 0, upgraded.stderr)
  assert.equal(JSON.parse(upgraded.stdout).previous, old)
  assert.notEqual(await startedAt(), older)
  assert.match((await machine.change(['upgrade', '--from', next.folder])).stderr, /is installed already/)
})

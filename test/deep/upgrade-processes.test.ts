// A service of two processes is upgraded: in turn, and with all others stopped where a migration wants that. And it becomes one process and two again.

import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type Machine, makeRelease, openMachine } from '../installed.ts'
import { root } from '../site.ts'
import { inTurn, underLoad } from '../under-load.ts'
import { until } from '../until.ts'

let machine: Machine
before(async () => {
  machine = await openMachine(root, 2)
})
after(() => machine[Symbol.asyncDispose]())

const severalFile = () => machine.at('/etc/systemd/system/postern.service.d/processes.conf')
const settings = () => readFileSync(machine.at('/etc/postern/postern.env'), 'utf8')

test('an upgrade and a rollback restart the processes in turn, while the old release serves beside the new one, and lose nothing', async () => {
  const old = await machine.current()
  const next = await makeRelease({ version: '1.1.0', migration: '0900-later' })
  const up = await underLoad(machine, ['upgrade', '--from', next.folder])
  assert.equal(up.ended.code, 0, up.ended.stderr)
  assert.deepEqual(up.found, ['200 ok'])
  const release = await machine.current()
  assert.deepEqual(up.done, inTurn(release))
  const back = await underLoad(machine, ['rollback'])
  assert.equal(back.ended.code, 0, back.ended.stderr)
  assert.deepEqual(back.found, ['200 ok'])
  assert.deepEqual(back.done, inTurn(old))
})

test('one process and back: the setting, the file that lets postern.service stand for several, and no request lost', async () => {
  const unit = readFileSync(severalFile(), 'utf8')
  assert.match(unit, /^Wants=postern@1\.service postern@2\.service$/m)
  const one = await underLoad(machine, ['processes', '1'])
  assert.equal(one.ended.code, 0, one.ended.stderr)
  assert.match(one.ended.stderr, /systemctl disable --now postern@1\.service postern@2\.service$/m)
  assert.doesNotMatch(settings(), /POSTERN_PROCESSES/)
  assert.equal(existsSync(severalFile()), false)
  assert.deepEqual(one.found, ['200 ok'])
  const two = await underLoad(machine, ['processes', '2', '--json'])
  assert.equal(two.ended.code, 0, two.ended.stderr)
  const told = JSON.parse(two.ended.stdout) as { processes: number; instances: readonly { state: string }[] }
  assert.deepEqual([told.processes, told.instances.length], [2, 2])
  assert.match(settings(), /^POSTERN_PROCESSES=2$/m)
  assert.equal(readFileSync(severalFile(), 'utf8'), unit)
  assert.deepEqual(two.found, ['200 ok'])
  const again = await machine.change(['processes', '2'])
  assert.equal(again.code, 0)
  assert.match(again.stderr, /^The service is set up for 2 already\.\nProcess 1: running/)
})

test('a migration that the old release can’t run beside finds only one process, and callers wait in the socket', async () => {
  await using own = await openMachine(root, 2)
  const next = await makeRelease({ version: '2.0.0', migration: '0900-later-contract' })
  const up = await underLoad(own, ['upgrade', '--from', next.folder])
  assert.equal(up.ended.code, 0, up.ended.stderr)
  assert.match(up.ended.stderr, /^Stops all processes but the first, if a migration of the new release ends in -contract/m)
  assert.deepEqual(up.found, ['200 ok'])
  assert.deepEqual(up.done, ['asked stop 2', 'done stop 2', ...inTurn(await own.current())])
})

test('a release that does not start is tried in one process only, and the other serves throughout', async () => {
  const broken = await makeRelease({ version: '2.2.0', broken: true })
  const old = await machine.current()
  const failed = await underLoad(machine, ['upgrade', '--from', broken.folder, '--ready-seconds', '3'])
  assert.notEqual(failed.ended.code, 0)
  assert.match(failed.ended.stderr, /All steps were undone\./)
  assert.deepEqual(failed.found, ['200 ok'])
  const tried = failed.done.filter((line) => line.startsWith('started ') && !line.endsWith(old))
  assert.ok(tried.length > 0 && tried.every((line) => line.startsWith('started 1 ')), failed.done.join('\n'))
})

const health = async () => (await machine.api('SVC_Health.check', { only: ['processes'] })).json.data.items[0]
const pidOf = (instance: string) =>
  Number(machine.done.findLast((line) => line.startsWith('started ') && line.split(' ')[2] === instance)?.split(' ')[1])

test('doctor processes: one that dies again and again is told by the other', async () => {
  for (const _death of [1, 2, 3]) {
    await machine.service('restart', 2)
    process.kill(pidOf('2'), 'SIGKILL')
  }
  await machine.service('restart', 2)
  await until('it has died three times', async () => /Process 2 of 2 has died 3 times/.test((await health()).message))
  const { fix } = await health()
  assert.match(fix, /^journalctl -u postern@2 /)
})

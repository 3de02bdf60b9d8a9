// A service of two processes on one socket, under something in systemd's place: restarted in turn under load.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { type Machine, openMachine } from '../installed.ts'
import { inTurn, underLoad } from '../under-load.ts'
import { root } from '../site.ts'
import { until } from '../until.ts'

let machine: Machine
before(async () => {
  machine = await openMachine(root, 2)
})
after(() => machine[Symbol.asyncDispose]())

const settings = () => readFileSync(machine.at('/etc/postern/postern.env'), 'utf8')

test('two processes are restarted in turn, each ready before the next, and no request is lost', async () => {
  const release = await machine.current()
  const { ended, found, count, done } = await underLoad(machine, ['processes', '--restart'])
  assert.equal(ended.code, 0, ended.stderr)
  assert.equal(ended.stdout, '2\n')
  assert.match(
    ended.stderr,
    /^Process 1: running, pid \d+, 1\.0\.0-[0-9a-f]{12}, started \S+, died 0 times in the last hour\nProcess 2: running/m,
  )
  assert.match(ended.stderr, /^Restarts process 1 of 2, and waits until it is ready: .* restart 1\nRestarts process 2 of 2/m)
  assert.deepEqual(found, ['200 ok'])
  assert.ok(count > 20)
  assert.deepEqual(done, inTurn(release))
})

const health = async () => (await machine.api('SVC_Health.check', { only: ['processes'] })).json.data.items[0]
test('doctor processes: one that is stopped is told by the other', async () => {
  assert.deepEqual((await health()).state, 'ok')
  await machine.service('stop', 2)
  const stopped = await health()
  assert.deepEqual([stopped.state, stopped.message], ['warning', 'Process 2 of 2 was stopped. The others serve the site.'])
  assert.match(stopped.fix, /^sudo systemctl restart postern@2 /)
  await machine.service('restart', 2)
  await until('it runs again', async () => (await health()).state === 'ok')
})

for (const [word, sentence] of [
  ['0', 'N "0" makes no sense: it must be a whole number from 1 to 64.'],
  ['65', 'N "65" makes no sense: it must be a whole number from 1 to 64.'],
  ['two', 'N "two" makes no sense: it must be a whole number from 1 to 64.'],
] as const) {
  test(`processes ${word} changes nothing and says what would be right`, async () => {
    const before = settings()
    const refused = await machine.change(['processes', word])
    assert.equal(refused.code, 2)
    assert.ok(refused.stderr.startsWith(sentence), refused.stderr)
    assert.equal(settings(), before)
  })
}

test('an install with another number of processes than the settings says how to change it', async () => {
  const refused = await machine.change(['install', '--processes', '3'])
  assert.equal(refused.code, 6)
  assert.match(refused.stderr, /is installed with POSTERN_PROCESSES=2, not 3\.\nTry: postern processes 3\n/)
})

// What costs a plugin its process, and nothing else anything: each fixture breaks in a way of its own, from within a run or while it is loaded.

import assert from 'node:assert/strict'
import { symlink, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FatalReason } from '../../src/plugins/fatal.ts'
import type { ProcessLimits } from '../../src/plugins/process.ts'
import { isDeep } from '../deep-run.ts'
import { until } from '../until.ts'
import { fatalOf, firstAction, isAlive, openPlugin } from './processes.ts'

const limits: Partial<ProcessLimits> = { timeoutMs: 1000 }
/** Where filling memory is what takes long. */
const patient: Partial<ProcessLimits> = { timeoutMs: 60_000 }

const inARun: readonly {
  attack: string
  plugin: string
  reason: FatalReason
  says: RegExp
  limits?: Partial<ProcessLimits>
}[] = [
  {
    attack: 'attack 111: a throw',
    plugin: 'throws',
    reason: 'threw',
    says: /failed: TypeError: the moon is not made of cheese\.$/,
  },
  { attack: 'attack 111: an endless loop', plugin: 'loops', reason: 'timeout', says: /did not answer within 1000 ms/ },
  {
    attack: 'attack 111: a promise never kept',
    plugin: 'never-settles',
    reason: 'timeout',
    says: /did not answer within 1000 ms/,
  },
  { attack: 'attack 111: a heap bomb', plugin: 'hoards-heap', reason: 'memory', says: /memory/, limits: patient },
  { attack: 'attack 111: process.exit', plugin: 'exits', reason: 'exit', says: /ended by itself \(exit code 3\)/ },
  { attack: 'attack 112: two gigabytes of buffers', plugin: 'hoards-buffers', reason: 'memory', says: /memory/, limits: patient },
  { attack: 'attack 111: a flood of log lines', plugin: 'floods-logs', reason: 'flood', says: /too much to the log/ },
  { attack: 'attack 111: a flood of prints', plugin: 'floods-prints', reason: 'flood', says: /printed too much/ },
  {
    attack: 'attack 111: a flood of calls',
    plugin: 'floods-messages',
    reason: 'flood',
    says: /too many messages/,
    limits: { timeoutMs: 30_000, maxMessagesASecond: 100 },
  },
  { attack: 'an answer that JSON can’t hold', plugin: 'answers-badly', reason: 'threw', says: /circular structure/ },
]

/** Like others of the list, so a deep run has them. */
const alike: readonly string[] = ['never-settles', 'floods-prints', 'floods-messages']

for (const { attack, plugin, reason, says, ...row } of inARun.filter((one) => isDeep || !alike.includes(one.plugin))) {
  test(`${attack} ends its process and is told to whoever waits`, async () => {
    await using open = await openPlugin(plugin, { limits: row.limits ?? limits })
    const fatal = await fatalOf(open.plugin.run(firstAction, [{}]))
    assert.equal(fatal.reason, reason)
    assert.match(fatal.message, says)
    assert.equal((await open.plugin.ended)?.reason, reason)
    assert.equal(isAlive(open.plugin.pid), false)
    assert.equal((await fatalOf(open.plugin.run(firstAction, [{}]))).reason, reason)
  })
}

test('attack 111: an unhandled rejection ends its process, though the run was answered', async () => {
  await using open = await openPlugin('rejects-later', { limits })
  await open.plugin.run(firstAction, [{}]).catch(() => undefined)
  assert.match((await open.plugin.ended)?.message ?? '', /nobody waits for me/)
})

test('what was thrown is told with its place in the plugin’s own files, and with what the run had printed', async () => {
  await using open = await openPlugin('throws', { limits })
  const fatal = await fatalOf(open.plugin.run(firstAction, [{}]))
  assert.match(fatal.trace, /^at \S+ \(index\.js:\d+:\d+\)$/m)
  assert.ok(!`${fatal.message} ${fatal.trace}`.includes('/'), fatal.trace)
  assert.equal(fatal.printed, 'about to throw\n')
})

test('where Node itself gives up, its words are told, but no path of the server', async () => {
  await using open = await openPlugin('hoards-heap', { limits: patient })
  const fatal = await fatalOf(open.plugin.run(firstAction, [{}]))
  assert.match(fatal.trace, /heap out of memory/)
  assert.ok(!fatal.trace.includes('/'), fatal.trace)
})

test('all runs of a process that breaks are told, each with what it printed', async () => {
  await using open = await openPlugin('throws', { limits })
  const [first, second] = await Promise.all([
    fatalOf(open.plugin.run(firstAction, [{}])),
    fatalOf(open.plugin.run(firstAction, [{}])),
  ])
  assert.deepEqual([first.reason, second.reason], ['threw', 'threw'])
})

test('activate throws: it never starts, and says why', async () => {
  const fatal = await fatalOf(openPlugin('fails-to-activate'))
  assert.equal(fatal.reason, 'load')
  assert.match(fatal.message, /could not be activated: Error: the settings make no sense\.$/)
})

test('an endless loop while it is loaded ends with the time to start', async () => {
  const fatal = await fatalOf(openPlugin('loops-at-load', { limits: { startMs: 500 } }))
  assert.equal(fatal.reason, 'timeout')
  assert.match(fatal.message, /longer than 500 ms to start/)
})

test('a module without activate, and a main that isn’t there', async () => {
  assert.match((await fatalOf(openPlugin('well-behaved', { main: 'lib/later.js' }))).message, /exports no function “activate”/)
  assert.match((await fatalOf(openPlugin('well-behaved', { main: 'no.js' }))).message, /There is no file no\.js/)
})

test('a folder with a link in it is never run: Node’s permission model would follow it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-plugin-'))
  try {
    await writeFile(join(folder, 'index.js'), 'export function activate() {}')
    await symlink('/etc', join(folder, 'etc'))
    assert.match((await fatalOf(openPlugin('linked', { folder }))).message, /holds a link, "etc"/)
    await rm(join(folder, 'etc'))
    await using open = await openPlugin('linked', { folder })
    assert.ok(open.plugin.pid > 0)
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a process that is killed from outside is noticed', async () => {
  await using open = await openPlugin('never-settles', { limits: patient })
  const never = fatalOf(open.plugin.run(firstAction, [{}]))
  process.kill(open.plugin.pid, 'SIGTERM')
  assert.match((await never).message, /ended by itself \(SIGTERM\)/)
  await until('its end', () => !isAlive(open.plugin.pid))
})

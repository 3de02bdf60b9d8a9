// Under systemd, from outside: the socket that outlives the service, readiness, signs of life, the stop, the journal's levels, and the
// units that are shipped.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { cp, mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { instanceUnits, severalPath, severalText } from '../../src/install/units.ts'
import { keepAsking } from '../keep-asking.ts'
import { keepAddress, makePostgresDatabase } from '../postgres.ts'
import { openPostgresProxy } from '../postgres-proxy.ts'
import { openSite, root } from '../site.ts'
import { hearNotifications, type Helper, holdSocket } from '../supervisor.ts'
import { until } from '../until.ts'

const run = promisify(execFile)

async function folderOf(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** The pid of the service that runs now, once it listens. */
async function pidOf(held: Helper, starts: number): Promise<number> {
  while (held.lines.filter((line) => line.includes('"event":"listening"')).length < starts)
    await held.line(/"listening"/, held.lines.length)
  return Number(held.lines.findLast((line) => line.startsWith('started '))?.split(' ')[1])
}

test('a socket that systemd holds loses nobody through restarts: 16 busy connections are all answered', async (t) => {
  const home = await folderOf(t)
  await using held = await holdSocket({ POSTERN_HOME: home })
  let over = false
  const found: string[] = []
  const asking = Array.from({ length: 16 }, () => keepAsking(held.port, () => over, found))
  const pids = []
  for (const starts of [1, 2, 3]) {
    const pid = await pidOf(held, starts)
    pids.push(pid)
    const before = found.length
    while (found.length < before + 100) await sleep(20)
    process.kill(pid)
  }
  await pidOf(held, 4)
  const before = found.length
  while (found.length < before + 100) await sleep(20)
  over = true
  await Promise.all(asking)
  assert.equal(new Set(pids).size, 3)
  assert.deepEqual([...new Set(found)], ['200 ok'])
  assert.deepEqual(
    held.lines.filter((line) => line.startsWith('ended')),
    ['ended 0', 'ended 0', 'ended 0'],
  )
})

test('a socket meant for another process is not taken', async (t) => {
  const home = await folderOf(t)
  await using site = await openSite({ home, bare: true, ownProcess: true, env: { LISTEN_FDS: '1', LISTEN_PID: '1' } })
  assert.equal((await site.send('/healthz')).text, 'ok\n')
})

test('several sockets stop the start with a sentence', async () => {
  const script = 'LISTEN_FDS=2 LISTEN_PID=$$ exec "$0" "$1" 2>&1'
  const started = run('sh', ['-c', script, process.execPath, join(root, 'dist', 'main.js')])
  await assert.rejects(started, ({ stdout }: { stdout: string }) =>
    stdout.startsWith("Postern can't start: systemd hands over 2 sockets, and one is served"),
  )
})

test('attack 120: systemd hears signs of life while the PostgreSQL server is silent, and none from a process that hangs', async (t) => {
  const folder = await folderOf(t)
  const address = join(folder, 'notify')
  const home = join(folder, 'site')
  await using heard = await hearNotifications(address)
  await using database = await makePostgresDatabase()
  await using proxy = await openPostgresProxy()
  await mkdir(home)
  await keepAddress(home, `postgres://site@127.0.0.1:${proxy.port}/${database.name}?connect_timeout=1`)
  const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: '400000' }
  await using site = await openSite({ home, bare: true, database: 'postgres', ownProcess: true, env })
  await heard.line(/READY=1/)
  proxy.fallSilent()
  await until('the service has noticed', async () => (await site.send('/readyz')).status === 503)
  for (let more = 0; more < 3; more++) await heard.line(/WATCHDOG=1/, heard.lines.length)
  process.kill(site.pid, 'SIGSTOP')
  // What was sent before has arrived by then.
  await sleep(500)
  const before = heard.lines.length
  await sleep(1000)
  assert.equal(heard.lines.length, before)
  process.kill(site.pid, 'SIGCONT')
  proxy.speakAgain()
})

test('systemd hears of readiness, of life and of the stop', async (t) => {
  const folder = await folderOf(t)
  const address = join(folder, 'notify')
  await using heard = await hearNotifications(address)
  const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: '400000' }
  await using site = await openSite({ home: join(folder, 'site'), bare: true, ownProcess: true, env })
  assert.match(await heard.line(/READY=1/), /STATUS=Serving on port \d+\./)
  const ready = heard.lines.findIndex((line) => line.includes('READY=1'))
  const first = await heard.line(/WATCHDOG=1/, ready)
  await heard.line(/WATCHDOG=1/, heard.lines.indexOf(first) + 1)
  assert.ok(!heard.lines.some((line) => line.includes('STOPPING')))
  await site.stop()
  await heard.line(/STOPPING=1/)
})

test('a watchdog of another process gets no sign of life', async (t) => {
  const folder = await folderOf(t)
  const address = join(folder, 'notify')
  await using heard = await hearNotifications(address)
  const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: '100000', WATCHDOG_PID: '1' }
  await using site = await openSite({ home: join(folder, 'site'), bare: true, ownProcess: true, env })
  await heard.line(/READY=1/)
  await sleep(300)
  await site.stop()
  await heard.line(/STOPPING=1/)
  assert.ok(!heard.lines.some((line) => line.includes('WATCHDOG')))
})

test('an event loop that hangs gives no sign of life', async (t) => {
  const folder = await folderOf(t)
  const address = join(folder, 'notify')
  await using heard = await hearNotifications(address)
  const env = { NOTIFY_SOCKET: address, WATCHDOG_USEC: '200000' }
  await using site = await openSite({ home: join(folder, 'site'), bare: true, ownProcess: true, env })
  await heard.line(/WATCHDOG=1/)
  // A stopped process answers as little as one that loops.
  site.process.kill('SIGSTOP')
  // What was under way still comes.
  let seen = 0
  await until('it is silent for as long as three signs take', async () => {
    seen = heard.lines.length
    await sleep(600)
    return heard.lines.length === seen
  })
  site.process.kill('SIGCONT')
  await heard.line(/WATCHDOG=1/, seen)
})

for (const [what, env] of [
  ['nobody listens at NOTIFY_SOCKET', {}],
  ['there is no systemd-notify', { PATH: '/nowhere' }],
] as const) {
  test(`the service serves, and says so once in its log, where ${what}`, async (t) => {
    const folder = await folderOf(t)
    const told = { NOTIFY_SOCKET: join(folder, 'nobody'), WATCHDOG_USEC: '100000', ...env }
    await using site = await openSite({ home: join(folder, 'site'), bare: true, ownProcess: true, env: told })
    const said = () => site.log.filter((line) => line.includes('"systemd not told"')).length
    await until('it is said', () => said() > 0)
    await sleep(300)
    assert.equal((await site.send('/healthz')).status, 200)
    assert.equal(await site.stop(), 0)
    assert.equal(said(), 1)
  })
}

/** Runs the service with its output in a file, which JOURNAL_STREAM names or not, until it has said something; gives what it said. */
async function outputOf(folder: string, isJournal: boolean, env: Readonly<Record<string, string>>) {
  const file = await open(join(folder, `output-${isJournal}`), 'w+')
  const { dev, ino } = await file.stat({ bigint: true })
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
    env: { PATH: process.env['PATH'], JOURNAL_STREAM: isJournal ? `${dev}:${ino}` : `${dev}:1`, POSTERN_PORT: '0', ...env },
    stdio: ['ignore', file.fd, file.fd],
  })
  const ended = once(child, 'exit')
  const text = () => readFile(join(folder, `output-${isJournal}`), 'utf8')
  while (child.exitCode === null && !(await text()).includes('unknown setting')) await sleep(20)
  child.kill()
  await ended
  await file.close()
  return text()
}

test('lines to the journal begin with their level, so that journalctl -p finds them', async (t) => {
  const folder = await folderOf(t)
  const env = { POSTERN_HOME: join(folder, 'site'), POSTERN_WRONG: '1' }
  const marked = await outputOf(folder, true, env)
  assert.match(marked, /^<6>\{"at".*"event":"listening"/m)
  assert.match(marked, /^<4>\{"at".*"event":"unknown setting"/m)
  assert.match(await outputOf(folder, true, { POSTERN_PORT: 'x' }), /^<3>Postern can't start: POSTERN_PORT=x makes no sense/)
})

test('lines that go elsewhere than to the journal are plain, though the variable was inherited', async (t) => {
  const folder = await folderOf(t)
  const plain = await outputOf(folder, false, { POSTERN_HOME: join(folder, 'site'), POSTERN_WRONG: '1' })
  assert.match(plain, /^\{"at".*"event":"listening"/m)
  assert.doesNotMatch(plain, /^</m)
})

test('a stop turns /readyz red while what is in flight ends', async (t) => {
  const home = await folderOf(t)
  await using site = await openSite({ home, bare: true, ownProcess: true })
  const [busy, spare] = [1, 2].map(() => new Agent({ keepAlive: true, maxSockets: 1 })) as [Agent, Agent]
  t.after(() => [busy, spare].forEach((agent) => agent.destroy()))
  const ask = (agent: Agent) =>
    new Promise<string>((resolve, reject) => {
      const asked = request({ port: site.port, host: '127.0.0.1', path: '/readyz', agent }, (answer) => {
        answer.resume()
        answer.on('end', () => resolve(`${answer.statusCode} ${answer.headers.connection}`))
      })
      asked.on('error', reject).end()
    })
  for (const agent of [busy, spare]) assert.equal(await ask(agent), '200 keep-alive')
  site.process.kill('SIGTERM')
  let said = await ask(busy)
  while (said === '200 keep-alive') said = await ask(busy)
  // The stop came between the answer and its headers.
  if (said === '200 close') said = await ask(spare)
  assert.equal(said, '503 close')
  await site.stop()
})

const units = readdirSync(join(root, 'systemd')).filter((name) => name !== 'README.md')

/** A root that has all that the units name, so that only what is wrong in them is told. */
async function rootFor(t: TestContext): Promise<string> {
  const folder = await folderOf(t)
  const place = join(folder, 'etc', 'systemd', 'system')
  await mkdir(place, { recursive: true })
  await cp(join(root, 'systemd'), place, { recursive: true, filter: (from) => basename(from) !== 'README.md' })
  await mkdir(join(folder, 'usr', 'bin'), { recursive: true })
  await mkdir(join(folder, 'bin'))
  for (const program of ['usr/bin/node', 'bin/sh', 'bin/true'])
    await writeFile(join(folder, program), '#!/bin/sh\n', { mode: 0o755 })
  const shipped = '/usr/lib/systemd/system'
  await mkdir(join(folder, shipped), { recursive: true })
  for (const entry of readdirSync(shipped, { withFileTypes: true }))
    if (entry.isFile() && entry.name.endsWith('.target')) await cp(join(shipped, entry.name), join(folder, shipped, entry.name))
  return folder
}

test('systemd finds nothing wrong in the units', async (t) => {
  assert.deepEqual(units.sort(), [
    'postern-backup.service',
    'postern-backup.timer',
    'postern-eyes.socket',
    'postern-eyes@.service',
    'postern.service',
    'postern.socket',
    'postern@.service',
    'system-postern.slice',
  ])
  const folder = await rootFor(t)
  const { stdout, stderr } = await run('systemd-analyze', ['verify', `--root=${folder}`, ...units])
  assert.equal(`${stdout}${stderr}`, '')
})

test('systemd finds nothing wrong in the units of several processes, with the file that changes postern.service for them', async (t) => {
  const folder = await rootFor(t)
  const place = join(folder, severalPath)
  await mkdir(dirname(place), { recursive: true })
  await writeFile(place, severalText(3))
  const all = ['postern.socket', 'postern.service', ...instanceUnits(3)]
  const { stdout, stderr } = await run('systemd-analyze', ['verify', `--root=${folder}`, ...all])
  assert.equal(`${stdout}${stderr}`, '')
})

for (const [unit, most] of [
  ['postern.service', 1.5],
  ['postern@.service', 1.5],
  ['postern-backup.service', 1],
  ['postern-eyes@.service', 1.5],
] as const) {
  test(`${unit} is exposed by at most ${most} of 10`, async () => {
    const path = join(root, 'systemd', unit)
    const threshold = `--threshold=${most * 10}`
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', '--no-pager', threshold, path])
    assert.match(stdout, /Overall exposure level/)
  })
}

// The doctor on a site of several nodes: each fault of a node is planted in a real process, and found with the line that fixes it. Nodes share one
// home here.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import sqlite3 from 'sqlite3'
import { openEcho } from '../echo.ts'
import { freePorts } from '../front.ts'
import { fillHome } from '../home-template.ts'
import { dropDatabase, findAddress, keepAddress } from '../postgres.ts'
import { openPostgresProxy } from '../postgres-proxy.ts'
import { openSite, root, type TestSite } from '../site.ts'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'

let site: TestSite
let address: string
const env = { POSTERN_BASE_URL: 'http://localhost:9' }
before(async () => {
  site = await openSite({ env })
  address = `127.0.0.1:${site.port}`
})
after(() => site[Symbol.asyncDispose]())

interface Found {
  readonly id: string
  readonly state: string
  readonly message: string
  readonly fix: string | null
}

const ids = ['node-reachable', 'node-key', 'node-release', 'node-clock']

/** What the doctor finds of these nodes that is not well. */
async function examine(nodes: readonly string[], only: readonly string[] = ids): Promise<readonly Found[]> {
  const words = ['doctor', '--json', '--only', only.join(','), ...nodes.flatMap((node) => ['--node', node])]
  const { stdout, stderr } = await site.postern(words)
  assert.ok(stdout.startsWith('{'), stderr)
  return (JSON.parse(stdout) as { findings: readonly Found[] }).findings.filter(({ state }) => state !== 'ok')
}

/** A second process of the program on the same home. `folder` has another release of it. */
async function openNode(more: Readonly<Record<string, string>> = {}, folder = root) {
  const settings = { POSTERN_HOME: site.home, POSTERN_PORT: '0', ...env, ...more }
  const child: ChildProcess = spawn(process.execPath, [join(folder, 'dist', 'main.js')], {
    env: { PATH: process.env['PATH'], ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(new Error('It does not start.')))
    if (!child.stdout) return
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes('"listening"')) resolve((JSON.parse(line) as { port: number }).port)
    })
  })
  return {
    address: `127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill()
      await once(child, 'exit')
    },
  }
}

test('nodes that are as they should be have no finding', async () => {
  await using other = await openNode()
  assert.deepEqual(await examine([address, other.address]), [])
})

test('doctor node-reachable: nobody, another program, and a database that accepts no writes', async () => {
  const nobody = `127.0.0.1:${(await freePorts()).port}`
  await using echo = await openEcho()
  const other = `127.0.0.1:${echo.port}`
  // On PostgreSQL, readiness does not wait for the lock of writers.
  await using locked = await openSite({ bare: true, env, database: 'sqlite' })
  const busyNode = `127.0.0.1:${locked.port}`
  const db = new sqlite3.Database(join(locked.home, 'data', 'postern.db'))
  const exec = (sql: string) =>
    new Promise<void>((resolve, reject) => db.exec(sql, (error) => (error ? reject(error) : resolve())))
  await exec('begin immediate')
  try {
    const [refused, foreign, busy, ...more] = await examine([nobody, other, busyNode], ['node-reachable'])
    assert.deepEqual(more, [])
    assert.match(refused?.message ?? '', new RegExp(`^The node ${nobody} does not answer: .*ECONNREFUSED`))
    assert.match(refused?.fix ?? '', /^systemctl status postern\.socket postern /)
    assert.match(foreign?.message ?? '', new RegExp(`^Something else than Postern answers at ${other}: 200`))
    assert.match(busy?.message ?? '', new RegExp(`^The node ${busyNode} is not ready: The database accepts no writes`))
  } finally {
    await exec('rollback')
    db.close()
  }
})

test('doctor node-key: a node with another site.key', async () => {
  await using stranger = await openSite({ bare: true, env })
  const node = `127.0.0.1:${stranger.port}`
  const [found, ...more] = await examine([address, node])
  assert.deepEqual([found?.id, found?.state, more], ['node-key', 'broken', []])
  assert.match(found?.message ?? '', new RegExp(`^The node ${node} can't read what this site's key has sealed`))
  assert.match(found?.fix ?? '', /^Copy data\/site\.key .*systemctl restart postern$/)
})

test('doctor node-clock: a node whose clock is two seconds slow', async () => {
  const shifted = (ms: number) => ({
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms}`)}`,
  })
  await using slow = await openNode(shifted(-2000))
  const [found, ...more] = await examine([address, slow.address])
  assert.deepEqual([found?.id, found?.state, more], ['node-clock', 'warning', []])
  assert.match(
    found?.message ?? '',
    new RegExp(`^The clock of ${address} is (?:1\\.9|2\\.\\d) s ahead of that of ${slow.address}\\.`),
  )
  assert.equal(found?.fix, 'sudo timedatectl set-ntp true   on both machines')
})

test('doctor database-server: notifications that get lost on the way', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'postern-test-'))
  t.after(() => rm(home, { recursive: true, force: true }))
  const token = await fillHome(home, true)
  const url = (await findAddress(home)) ?? ''
  t.after(() => dropDatabase(url))
  await using proxy = await openPostgresProxy()
  await keepAddress(home, `postgres://site@127.0.0.1:${proxy.port}/${readPostgresAddress(url).database}`)
  await using node = await openSite({ database: 'postgres', bare: true, home })
  const check = async () => (await node.call('SVC_Health.check', { only: ['database-server'] }, { token })).items[0]
  assert.equal((await check()).state, 'ok')
  proxy.onSent = (chunk) => {
    const at = chunk.indexOf('pg_notify($1, $2)')
    if (at >= 0) chunk.write('strpos   ($1, $2)', at, 'latin1')
    return 'pass'
  }
  const found = await check()
  assert.equal(found.state, 'broken')
  assert.match(found.message, /^Notifications of the database do not arrive.*pooler/)
  assert.match(found.fix, /pool_mode = session/)
})

test('doctor node-release: a node of another release', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-release-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  // Folders of this and other runs of the tests lie there too, and come and go.
  const isPart = (path: string) => !path.endsWith('.map') && !path.includes(join('dist', 'test-'))
  await cp(join(root, 'dist'), join(folder, 'dist'), { recursive: true, filter: isPart })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  const json = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...json, version: '9.9.9' }))
  await using other = await openNode({}, folder)
  const [found, ...more] = await examine([address, other.address])
  assert.deepEqual([found?.id, found?.state, more], ['node-release', 'warning', []])
  assert.match(found?.message ?? '', new RegExp(`${address} runs 1\\.0\\.0, ${other.address} runs 9\\.9\\.9\\.`))
  assert.match(found?.fix ?? '', /^sudo scripts\/postern upgrade /)
})

test('the nodes are those of nginx on the same machine, where the command names none', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-nodes-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const nobody = `127.0.0.1:${(await freePorts()).port}`
  const written = await site.postern(
    ['nginx', '--server-name', 'localhost', '--out', folder].concat('--upstream', address, '--upstream', nobody),
  )
  assert.equal(written.code, 0, written.stderr)
  const told = await site.postern(['doctor', '--only', 'node-reachable', '--nginx', folder])
  assert.equal(told.code, 2)
  assert.match(told.stdout, new RegExp(`^✗ node-reachable: The node ${nobody} does not answer`))
  const none = await site.postern(['doctor', '--only', 'node-key', '--nginx', '/nonexistent'])
  assert.equal(none.code, 2)
  assert.match(none.stderr, /Which are they\?\nTry: postern doctor --node 10\.0\.0\.2:8080\n$/)
})

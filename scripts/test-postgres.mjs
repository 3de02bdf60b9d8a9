// A private PostgreSQL server for one run of the tests: node test-postgres.mjs FOLDER PID. It makes a cluster in a separate
// folder, starts it, and writes its address to FOLDER/address.json. When the process PID has ended, in any way, it stops the
// server and deletes the cluster. PostgreSQL refuses to run as root, so as root the server runs as a user without rights.

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chmod, chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [folder, runner] = process.argv.slice(2)
const user = process.getuid() === 0 ? unprivileged() : undefined
const cluster = await mkdtemp(join(tmpdir(), 'postern-pg-'))
const data = join(cluster, 'data')
let server

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => undefined)
try {
  await serve()
} catch (error) {
  await writeFile(join(folder, 'error.txt'), error.message)
} finally {
  server?.kill('SIGQUIT')
  if (server && server.exitCode === null) await new Promise((done) => server.once('exit', done))
  await stopRestarted()
  await rm(cluster, { recursive: true, force: true })
  // A folder of the run is deleted with the run.
  if (folder.startsWith(join(tmpdir(), 'postern-pg-run-'))) await rm(folder, { recursive: true, force: true })
}

async function serve() {
  const bin = binFolder()
  if (user) await chown(cluster, user.uid, user.gid)
  await chmod(cluster, 0o700)
  // The collation differs from Postern's on purpose: the store must not depend on it.
  const locale = ['--locale-provider=icu', '--icu-locale=en-US', '--locale=C.UTF-8', '--encoding=UTF8']
  const auth = ['--auth-local=trust', '--auth-host=scram-sha-256', '--username=postgres']
  run(join(bin, 'initdb'), ['-D', data, '--no-sync', '--no-instructions', ...locale, ...auth])
  const port = await freePort()
  const settings = {
    unix_socket_directories: cluster,
    listen_addresses: '127.0.0.1',
    port,
    fsync: 'off',
    full_page_writes: 'off',
    max_connections: 300,
    shared_buffers: '64MB',
    autovacuum_naptime: '60s',
    log_min_messages: 'fatal',
  }
  await writeFile(
    join(data, 'postgresql.auto.conf'),
    Object.entries(settings)
      .map(([name, value]) => `${name} = '${value}'\n`)
      .join(''),
  )
  server = spawn(join(bin, 'postgres'), ['-D', data], { ...user, cwd: cluster, stdio: 'ignore' })
  await until(
    () => existsSync(join(cluster, `.s.PGSQL.${port}`)) && isReady(bin, port),
    () => server.exitCode !== null,
  )
  const address = { socket: cluster, port, bin, data, uid: user?.uid, gid: user?.gid }
  await writeFile(join(folder, 'address.part'), JSON.stringify(address))
  await rename(join(folder, 'address.part'), join(folder, 'address.json'))
  while (isAlive(Number(runner)) && existsSync(folder)) await sleep(300)
}

/** A test may have stopped the server and started it again, as another process. */
async function stopRestarted() {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '')
  const pid = Number(text.split('\n')[0])
  if (!pid || !isAlive(pid)) return
  process.kill(pid, 'SIGQUIT')
  while (isAlive(pid)) await sleep(50)
}

function run(program, args) {
  execFileSync(program, args, { ...user, cwd: cluster, stdio: ['ignore', 'ignore', 'pipe'] })
}

function isReady(bin, port) {
  try {
    run(join(bin, 'pg_isready'), ['-q', '-h', cluster, '-p', String(port)])
    return true
  } catch {
    return false
  }
}

async function until(isDone, hasFailed) {
  const end = Date.now() + 60_000
  while (!isDone()) {
    if (hasFailed() || Date.now() > end) throw new Error('PostgreSQL does not start.')
    await sleep(50)
  }
}

/** The newest PostgreSQL of Debian's packages, or the one in the path. */
function binFolder() {
  const packages = '/usr/lib/postgresql'
  const versions = existsSync(packages) ? readdirSync(packages).map(Number).filter(Boolean) : []
  const newest = Math.max(...versions)
  if (versions.length > 0) return join(packages, String(newest), 'bin')
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim()
  } catch {
    throw new Error('PostgreSQL is not installed: run scripts/install-test-tools.')
  }
}

/** The user `postgres` of Debian's package, or `nobody`. */
function unprivileged() {
  const rows = execFileSync('getent', ['passwd'], { encoding: 'utf8' }).split('\n')
  const [, , uid, gid] = ['postgres', 'nobody']
    .map((name) => rows.find((row) => row.startsWith(`${name}:`)))
    .find(Boolean)
    .split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function freePort() {
  return new Promise((done) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => done(port))
    })
  })
}

// Makes a checkout ready to run: checks the Node version, installs packages, and builds the present sources. Messages go to
// standard error.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const floor = [20, 19]

/** The age of a stale lock. Another process may have the process id of its owner by then. */
const lockMs = 600_000

/** Ends the process with one line if Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > floor[0] || (major === floor[0] && minor >= floor[1])) return
  end(`Postern needs Node ${floor.join('.')} or newer; this is ${process.versions.node}.`)
}

/**
 * Installs the packages if some are missing. npm ci empties node_modules first, which would break a running service. So only
 * commands that start afresh use `exact`.
 * @param {boolean} development includes the packages that only tests need
 * @param {boolean} exact also installs if a package has another version than in package-lock.json
 */
export async function install(development, exact = false) {
  const wrongNow = () => (exact ? wrongPackages(development) : missingPackages(development))
  if (wrongNow().length === 0) return
  await withLock('install', () => {
    const wrong = wrongNow()
    if (wrong.length === 0) return
    process.stderr.write(`Installing packages (${wrong.slice(0, 3).join(', ')}${wrong.length > 3 ? ', …' : ''}) …\n`)
    // npm ci would delete packages of tests that are already installed.
    const also = development || hasDevelopment() ? ['--include=dev'] : ['--omit=dev']
    try {
      execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...also], { cwd: root, stdio: ['ignore', 2, 2] })
    } catch (error) {
      end(error.code === 'ENOENT' ? 'Packages are missing, and npm is not on the PATH to install them.' : 'npm ci failed.')
    }
  })
}

function hasDevelopment() {
  return Object.values(packagesOf(join('node_modules', '.package-lock.json'))).some(({ dev }) => dev)
}

function missingPackages(development) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...(development ? devDependencies : {}) })
  return names.filter((name) => !existsSync(join(root, 'node_modules', name)))
}

/** The packages whose installed version is wrong. npm lists the installed ones in node_modules/.package-lock.json. */
function wrongPackages(development) {
  const wanted = packagesOf('package-lock.json')
  const installed = packagesOf(join('node_modules', '.package-lock.json'))
  return Object.entries(wanted)
    .filter(([path, { dev, optional, devOptional }]) => path && !optional && !devOptional && (development || !dev))
    .filter(([path, { version }]) => installed[path]?.version !== version || !existsSync(join(root, path)))
    .map(([path]) => path.slice('node_modules/'.length))
}

function packagesOf(lockFile) {
  const text = textOf(join(root, lockFile))
  return text === undefined ? {} : JSON.parse(text).packages
}

/** The text of a file, or undefined if it doesn't exist. To look for it first would fail if another process deletes it then. */
function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Builds if the build is stale. One of several processes builds, and the others wait. @throws if the sources don't bundle */
export async function buildStale() {
  const { build, isStale } = await import('./build.mjs')
  if (!isStale()) return
  await withLock('build', async () => {
    if (!isStale()) return
    process.stderr.write('Building …\n')
    await build()
  })
}

/** Builds in any case. Ends the process if that fails. */
export async function buildNow() {
  const { build } = await import('./build.mjs')
  await withLock('build', build).catch(buildFailed)
}

/** Provides everything that the program needs, or ends the process with a message. @param {boolean} exact see `install` */
export async function makeReady(exact) {
  checkNode()
  if (await isInstalled()) return
  await install(false, exact)
  await buildStale().catch(buildFailed)
}

/**
 * Uses the settings of the installed service, so that its command line works on the same site. The environment takes precedence.
 * @see systemd/postern.service
 */
export async function takeInstalledSettings() {
  if (!(await isInstalled())) return
  // A release is in /opt/postern/releases/NAME, or below the root that it was installed to.
  const machine = join(root, '..', '..', '..', '..')
  const file = join(machine, 'etc', 'postern', 'postern.env')
  try {
    process.loadEnvFile(file)
  } catch (error) {
    if (error.code !== 'ENOENT' && error.code !== 'EACCES') throw error
  }
  process.env.POSTERN_HOME ||= join(machine, 'var', 'lib', 'postern', 'site')
  process.env.POSTERN_BACKUPS ||= join(machine, 'var', 'backups', 'postern')
}

async function isInstalled() {
  const { isInstalled: isInstalledHere } = await import('./build.mjs')
  return isInstalledHere()
}

/** Reports a failed build. For errors in the sources, esbuild has already printed the fault and its place. */
function buildFailed(error) {
  end(error.errors ? 'The build failed.' : `The build failed: ${error.message}`)
}

function end(words) {
  process.stderr.write(`${words}\n`)
  process.exit(1)
}

/** Runs work while it holds a lock file, which only one process can create. The lock of a dead process is replaced. */
async function withLock(name, run) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const file = join(root, 'dist', `.lock-${name}`)
  while (!take(file)) {
    if (isAbandoned(file)) rmSync(file, { force: true })
    else await sleep(100)
  }
  const release = () => rmSync(file, { force: true })
  process.once('exit', release)
  try {
    await run()
  } finally {
    process.removeListener('exit', release)
    release()
  }
}

function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code === 'EEXIST') return false
    throw error
  }
}

function isAbandoned(file) {
  const found = statSync(file, { throwIfNoEntry: false })
  const owner = textOf(file)
  if (!found || owner === undefined) return false
  const age = Date.now() - found.mtimeMs
  // The process that created the lock may not have written its id yet.
  return age > lockMs || (age > 1000 && !isRunning(Number(owner)))
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

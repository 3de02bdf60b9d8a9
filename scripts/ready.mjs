// Makes a checkout ready to run: the right Node, the packages, a build of the sources as they are. Words go to standard error.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const floor = [20, 19]

/** A lock as old as this belongs to nobody, even where its process id runs again. */
const lockMs = 600_000

/** Ends the process with one line where Node is too old. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > floor[0] || (major === floor[0] && minor >= floor[1])) return
  end(`Postern needs Node ${floor.join('.')} or newer; this is ${process.versions.node}.`)
}

/**
 * Installs where packages are missing. npm ci empties node_modules first, so that only what starts afresh asks for more than that.
 * @param {boolean} development with the packages that tests need
 * @param {boolean} exact also where one is of another version than package-lock.json says
 */
export async function install(development, exact = false) {
  const wrongNow = () => (exact ? wrongPackages(development) : missingPackages(development))
  if (wrongNow().length === 0) return
  await withLock('install', () => {
    const wrong = wrongNow()
    if (wrong.length === 0) return
    process.stderr.write(`Installing packages (${wrong.slice(0, 3).join(', ')}${wrong.length > 3 ? ', …' : ''}) …\n`)
    const also = development ? ['--include=dev'] : []
    try {
      execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...also], { cwd: root, stdio: ['ignore', 2, 2] })
    } catch (error) {
      end(error.code === 'ENOENT' ? 'Packages are missing, and npm is not on the PATH to install them.' : 'npm ci failed.')
    }
  })
}

function missingPackages(development) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const names = Object.keys({ ...dependencies, ...(development ? devDependencies : {}) })
  return names.filter((name) => !existsSync(join(root, 'node_modules', name)))
}

/** npm notes in node_modules/.package-lock.json what it has put there. */
function wrongPackages(development) {
  const wanted = packagesOf('package-lock.json')
  const installed = packagesOf(join('node_modules', '.package-lock.json'))
  return Object.entries(wanted)
    .filter(([path, { dev, optional, devOptional }]) => path && !optional && !devOptional && (development || !dev))
    .filter(([path, { version }]) => installed[path]?.version !== version || !existsSync(join(root, path)))
    .map(([path]) => path.slice('node_modules/'.length))
}

function packagesOf(lockFile) {
  const file = join(root, lockFile)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : {}
}

/** Builds what is stale; of several processes one does it and the others wait. Throws where the sources don't bundle. */
export async function buildStale() {
  const { build, isStale } = await import('./build.mjs')
  if (!isStale()) return
  await withLock('build', async () => {
    if (!isStale()) return
    process.stderr.write('Building …\n')
    await build()
  })
}

/** Builds whether stale or not, and ends the process where that fails. */
export async function buildNow() {
  const { build } = await import('./build.mjs')
  await withLock('build', build).catch(buildFailed)
}

/** All that the program needs, or the end of the process with a sentence. @param {boolean} exact as `install` takes it */
export async function makeReady(exact) {
  checkNode()
  if (await isInstalled()) return
  await install(false, exact)
  await buildStale().catch(buildFailed)
}

/**
 * Takes what the installed service has as its settings, so that its command line is about the same site; what the environment says goes first.
 * @see systemd/postern.service
 */
export async function takeInstalledSettings() {
  if (!(await isInstalled())) return
  // A release lies in /opt/postern/releases/NAME, or below the root that it was installed to.
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

/** esbuild has told already what is wrong where. */
function buildFailed(error) {
  end(error.errors ? 'The build failed.' : `The build failed: ${error.message}`)
}

function end(words) {
  process.stderr.write(`${words}\n`)
  process.exit(1)
}

/** A file is made by one process only. One left by a process that died is taken over. */
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
  if (!found) return false
  const age = Date.now() - found.mtimeMs
  const owner = readFileSync(file, 'utf8')
  // Its maker may not have written its id yet.
  return age > lockMs || (age > 1000 && !isRunning(Number(owner)))
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

// Makes a checkout ready to run: the right Node, the packages, a build of the sources as they are. Words go to standard error.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

const floor = [20, 19]

/** Ends the process with one line where Node is too old. */
export function holdNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > floor[0] || (major === floor[0] && minor >= floor[1])) return
  process.stderr.write(`Postern needs Node ${floor.join('.')} or newer; this is ${process.versions.node}.\n`)
  process.exit(1)
}

/**
 * Installs what is missing.
 * @param {boolean} development with the packages that tests need
 */
export function install(development) {
  const missing = requiredPackages(development).filter((name) => !existsSync(join(root, 'node_modules', name)))
  if (missing.length === 0) return
  process.stderr.write(`Installing packages (${missing.length} missing) …\n`)
  const also = development ? ['--include=dev'] : []
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', ...also], { cwd: root, stdio: ['ignore', 2, 2] })
}

function requiredPackages(development) {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.keys({ ...dependencies, ...(development ? devDependencies : {}) })
}

/** Builds what is stale; of several processes one does it and the others wait. */
export async function buildStale() {
  const { build, isStale } = await import('./build.mjs')
  if (!isStale()) return
  await withLock(join(root, 'node_modules', '.postern-build'), async () => {
    if (!isStale()) return
    process.stderr.write('Building …\n')
    await build()
  })
}

/** A folder is made by one process only. One left by a process that died is taken over after a minute. */
async function withLock(folder, run) {
  for (;;) {
    try {
      mkdirSync(folder)
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
      const since = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
      if (Date.now() - since > 60_000) rmdirSync(folder)
      else await sleep(100)
    }
  }
  try {
    await run()
  } finally {
    rmdirSync(folder)
  }
}

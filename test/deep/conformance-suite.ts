// The protocol's own conformance suite: fetched once into a folder beside the temporary files, and run on the Node that it needs.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const version = '0.2.0-alpha.12'

/** The suite's parts import what Node 20 lacks. */
const node = 'node@24'

/** Runs the suite with these arguments. Resolves to its exit code and all that it said; `onSaid` gets that as it grows. */
export type Suite = (args: readonly string[], onSaid?: (said: string) => void) => Promise<{ code: number; said: string }>

/**
 * The suite, installed where it isn't yet. Only that needs the registry.
 * @throws Error where it can't be installed
 */
export async function openSuite(): Promise<Suite> {
  const folder = join(tmpdir(), `postern-conformance-${version}`)
  if (!existsSync(join(folder, 'node_modules'))) await install(folder)
  const program = join(folder, 'node_modules', '.bin', 'node')
  const script = join(folder, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js')
  return (args, onSaid) => run(program, [script, ...args], folder, onSaid)
}

/** Beside first and then in one move, so that a broken install is never taken for a whole one. */
async function install(folder: string): Promise<void> {
  const fresh = await mkdtemp(`${folder}-`)
  try {
    await writeFile(join(fresh, 'package.json'), '{ "private": true }\n')
    const packages = [node, `@modelcontextprotocol/conformance@${version}`]
    const { code, said } = await run('npm', ['install', '--no-audit', '--no-fund', ...packages], fresh)
    if (code !== 0) throw new Error(`The conformance suite can't be installed: ${said}`)
    if (!existsSync(folder)) await rename(fresh, folder)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
}

/** Without what an npm around us says of itself: a prefix of its own would send the packages elsewhere. */
function environment(): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:npm_|NODE_TEST_CONTEXT$|NODE_OPTIONS$)/i.test(name)),
  )
}

function run(
  program: string,
  args: readonly string[],
  cwd: string,
  onSaid: (said: string) => void = () => undefined,
): Promise<{ code: number; said: string }> {
  return new Promise((resolve) => {
    const options = { cwd, env: environment(), timeout: 200_000, maxBuffer: 64 * 1024 ** 2 }
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
      resolve({ code, said: stdout + stderr })
    })
    let said = ''
    child.stdout?.on('data', (part: string) => onSaid((said += part)))
  })
}

/** A folder for one run's results, which are not kept. */
export async function withResults<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-conformance-results-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

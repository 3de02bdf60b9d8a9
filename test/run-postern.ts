// The command line as a process of its own, run to its end.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The checkout, wherever the bundled test lies below it. */
export const root = ((): string => {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder)
  return folder
})()

/** What the tests were started with, without what would be settings of a site or of node's runner. */
export function inheritedEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(([name]) => !name.startsWith('POSTERN_') && name !== 'NODE_TEST_CONTEXT')
  return Object.fromEntries(kept) as Record<string, string>
}

/** Where Node writes down what ran, for `npm run coverage`: a process that is started with an environment of its own is measured too. */
export function coverageEnvironment(): Readonly<Record<string, string>> {
  const folder = process.env['NODE_V8_COVERAGE']
  return folder === undefined ? {} : { NODE_V8_COVERAGE: folder }
}

/** Runs `scripts/postern` with these settings to its end. */
export function runPostern(
  env: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [join(root, 'scripts', 'postern'), ...args],
      { env: { ...coverageEnvironment(), ...env }, timeout: 600_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        resolve({ code, stdout, stderr })
      },
    )
    child.stdin?.end(input)
  })
}

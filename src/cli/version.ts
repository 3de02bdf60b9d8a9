// `postern --version`: the version, and the release or commit, if it is known.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { programFolder, programRelease, programVersion } from '../base/program.ts'
import { runTool } from '../install/run-tool.ts'
import type { Io } from './command.ts'
import { exit } from './exit.ts'

/** Prints the version of Postern on `out`, and that of Node on `err`. */
export async function version(io: Io): Promise<number> {
  const folder = programFolder()
  io.out(`${await describe(folder, programVersion(folder))}\n`)
  io.err(`Node ${process.versions.node}\n`)
  return exit.ok
}

/**
 * Describes the program. An installed release is in a folder of its name, such as `1.0.0-3f9a0c51d2e4`. A checkout has a commit,
 * marked if files differ from it.
 */
async function describe(folder: string, number: string): Promise<string> {
  const name = programRelease()
  if (name !== number) return name
  if (!existsSync(join(folder, '.git'))) return number
  const words = ['git', '-C', folder, 'describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  // Git may be missing, or may refuse a folder that belongs to another user.
  const commit = await runTool(words).then(
    ({ code, out }) => (code === 0 ? out.trim() : ''),
    () => '',
  )
  return commit === '' ? number : `${number} (commit ${commit})`
}

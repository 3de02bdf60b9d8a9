// `postern --version`: the version, and the release or commit, if it is known.

import { existsSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { programFolder } from '../front/templates.ts'
import { runTool } from '../install/run-tool.ts'
import type { Io } from './command.ts'
import { exit } from './exit.ts'

/** Prints the version on `out`, and that of Node on `err`. */
export async function version(io: Io): Promise<number> {
  const folder = programFolder()
  const { version: number } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  io.out(`${await describe(folder, number)}\n`)
  io.err(`Node ${process.versions.node}\n`)
  return exit.ok
}

/** An installed release lies in a folder of its name, such as `1.0.0-3f9a0c51d2e4`. A checkout has a commit, marked where files differ from it. */
async function describe(folder: string, number: string): Promise<string> {
  const name = basename(folder)
  if (name.startsWith(`${number}-`)) return name
  if (!existsSync(join(folder, '.git'))) return number
  const words = ['git', '-C', folder, 'describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  // Git may be missing, or refuse a folder that belongs to somebody else.
  const commit = await runTool(words).then(
    ({ code, out }) => (code === 0 ? out.trim() : ''),
    () => '',
  )
  return commit === '' ? number : `${number} (commit ${commit})`
}

// Runs the command line of a release as the service's user, with the service's settings. A release examines, verifies and saves a
// site with its own code, because no other code knows its database.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { paths, type Places } from './places.ts'
import { releaseFolder } from './releases.ts'
import { runTool, type ToolAnswer, type ToolOptions } from './run-tool.ts'
import { readServiceEnv } from './settings-file.ts'

/** The owner of the site; undefined if the process can't or needn't run as another user. */
async function ownerOf(places: Places): Promise<ToolOptions['owner']> {
  if (process.geteuid?.() !== 0) return undefined
  const found = await unlessMissing(stat(places.at(paths.state)))
  return found === undefined || found.uid === 0 ? undefined : { uid: found.uid, gid: found.gid }
}

/** Runs `postern WORDS` of a release. */
export async function runProgram(
  places: Places,
  release: string,
  words: readonly string[],
  options: Pick<ToolOptions, 'timeoutMs'> = {},
): Promise<ToolAnswer> {
  const cwd = releaseFolder(places, release)
  const command = [process.execPath, '--enable-source-maps', join('dist', 'cli', 'main.js'), ...words]
  // The backup of an upgrade isn't sealed. It stays on the machine, and possibly nobody can type a passphrase when it is restored.
  const { POSTERN_BACKUP_PASSPHRASE_FILE: _sealed, ...env } = await readServiceEnv(places)
  return runTool(command, { ...options, cwd, env, owner: await ownerOf(places) })
}

/** Runs a command that must succeed. @returns its output @throws Failure `failed`, with the message of the command */
export async function demandProgram(places: Places, release: string, words: readonly string[]): Promise<string> {
  const { code, out, err } = await runProgram(places, release, words)
  if (code === 0) return out
  throw new Failure(
    'failed',
    err.trim().split('\n').slice(0, 4).join(' ') || `postern ${words[0]} ended with ${code ?? 'a signal'}.`,
  )
}

/** Loads the packages with native code, because they may be built for another machine or another node. @throws Failure `failed` */
export async function loadPackages(places: Places, release: string, packages: readonly string[]): Promise<void> {
  const script = packages.map((name) => `await import(${JSON.stringify(name)})\n`).join('')
  const command = [process.execPath, '--input-type=module', '-e', script]
  const { code, err } = await runTool(command, { cwd: releaseFolder(places, release), owner: await ownerOf(places), env: {} })
  if (code === 0) return
  const reason = /^\w*Error: .*$/m.exec(err)?.[0] ?? `it ended with ${code ?? 'a signal'}`
  throw new Failure(
    'failed',
    `The packages ${packages.join(', ')} don't load with node ${process.version}: ${reason}. Try: npm rebuild`,
  )
}

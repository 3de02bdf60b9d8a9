// Packages for tests: a small honest one, a folder to stage in, and what a refusal must be.

import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Failure } from '../../src/base/failure.ts'
import type { CraftedEntry } from './craft-zip.ts'

/** The files of a plugin that does nothing, by path. */
export const honest = {
  'plugin.json': JSON.stringify({ id: 'useful', name: 'Useful', version: '1.0.0', main: 'index.js' }),
  'index.js': 'export function activate() {}\n',
} as const

export const honestEntries: readonly CraftedEntry[] = Object.entries(honest).map(([name, data]) => ({ name, data }))

/** Runs with a folder of its own, which holds a folder `plugins` and is gone afterwards. */
export async function inFolder(run: (plugins: string, folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'postern-packages-'))
  try {
    await mkdir(join(folder, 'plugins'))
    await run(join(folder, 'plugins'), folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Writes files by path into a new folder. */
export async function writeTree(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
  return folder
}

/** Holds that something was refused, in one line that says what the pattern asks. */
export async function assertRefused(
  work: Promise<unknown>,
  words: RegExp,
  code: Failure['code'] = 'unprocessable',
): Promise<Failure> {
  const error = await work.then(
    () => assert.fail('it was taken'),
    (error: unknown) => error,
  )
  assert.ok(error instanceof Failure, error instanceof Error ? error.stack : String(error))
  assert.equal(error.code, code, error.message)
  assert.match(error.message, words)
  assert.doesNotMatch(error.message, /[\p{Cc}\p{Cf}]/u)
  return error
}

/** Everything below a folder, by path. */
export async function treeOf(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).sort()
}

// The passphrase of a backup on the command line: from a named file, from the site's own file, or typed by a person.

import { resolve } from 'node:path'
import type { Io } from './command.ts'
import { readSecret } from './read-input.ts'

/** Reads the passphrase in a file; undefined if no file is named. @throws Failure */
export async function readNamedPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const { readPassphraseFile } = await import('../backup/passphrase.ts')
  return readPassphraseFile(resolve(file))
}

/**
 * Calls `run`, which may need a passphrase: first with the named passphrase, or without one. If that doesn't open the backup, the
 * person at the terminal types one. `run` must change nothing before the passphrase is accepted.
 */
export async function withPassphrase<T>(
  io: Io,
  file: string | undefined,
  run: (passphrase: string | undefined) => Promise<T>,
): Promise<T> {
  const named = await readNamedPassphrase(file)
  try {
    return await run(named)
  } catch (error) {
    const { isAboutPassphrase } = await import('../backup/sealed-header.ts')
    if (named !== undefined || io.stdin.isTTY !== true || !isAboutPassphrase(error)) throw error
    return run(await readSecret(io, 'Passphrase of the backup: '))
  }
}

// The passphrase of a backup on the command line: from a file that is named, from the site's own, or typed by a person.

import { resolve } from 'node:path'
import type { Io } from './command.ts'
import { readSecret } from './read-input.ts'

/** The passphrase in a file; undefined where none is named. @throws Failure */
export async function readNamedPassphrase(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined
  const { readPassphraseFile } = await import('../backup/passphrase.ts')
  return readPassphraseFile(resolve(file))
}

/**
 * Runs something that may need a passphrase: with the one that was named, or without; and where that doesn't open the backup, with the one
 * that the person at the terminal types. Nothing has been changed when a passphrase is refused.
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

// The owner's passphrase, which seals backups. It is read from a file whenever it is needed and never stored. The file must not
// be in a folder that backups contain or that a web server could serve.

import { open, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { Failure, invalid } from '../base/failure.ts'

/** The shortest and longest passphrase, in bytes of UTF-8. */
export const passphraseBytes = { min: 12, max: 1024 }

/** Checks a passphrase. @throws Failure `invalid` for one that is too short, is too long, or isn't one line */
export function checkPassphrase(passphrase: string, whose = 'A passphrase'): void {
  const { min, max } = passphraseBytes
  const length = Buffer.byteLength(passphrase)
  if (length >= min && length <= max && !/\p{Cc}/u.test(passphrase)) return
  const expected = `one line of ${min} to ${max} bytes`
  throw invalid('passphrase', `${whose} must be ${expected}.`, expected)
}

/**
 * Reads a passphrase from a file. The file has one line; its line break is not part of the passphrase.
 * @throws Failure `unavailable` for a file that can't be read; `refused` for a file that every user may read; `invalid` for an
 * invalid passphrase
 */
export async function readPassphraseFile(path: string): Promise<string> {
  const { text, mode } = await readSmall(path)
  if ((mode & 0o007) !== 0)
    throw new Failure('refused', `Everybody on this machine may read the passphrase in ${path}: chmod o= ${path}`, {
      rule: 'the passphrase of backups is its owner’s alone',
      hint: `chmod o= ${path}`,
    })
  const passphrase = text.replace(/\r?\n$/, '')
  checkPassphrase(passphrase, `The passphrase in ${path}`)
  return passphrase
}

/**
 * Reads the site's own passphrase.
 * @param path `POSTERN_BACKUP_PASSPHRASE_FILE`
 * @param forbidden folders that may not contain the file
 * @returns undefined if no path is set
 * @throws Failure as `readPassphraseFile` does; `refused` for a file in one of the forbidden folders
 */
export async function readSitePassphrase(path: string | undefined, forbidden: readonly string[]): Promise<string | undefined> {
  if (path === undefined) return undefined
  const real = await realpath(path).catch(() => path)
  for (const folder of forbidden) {
    const below = `${await realpath(folder).catch(() => folder)}${sep}`
    if (!real.startsWith(below)) continue
    throw new Failure('refused', `The passphrase of backups in ${path} lies in ${folder}, beside what it is to keep closed.`, {
      rule: 'the passphrase lies outside the home and the folder of backups',
      hint: 'Keep it in /etc/credstore/postern-backup-passphrase, or name another file in POSTERN_BACKUP_PASSPHRASE_FILE.',
    })
  }
  return readPassphraseFile(path)
}

async function readSmall(path: string): Promise<{ text: string; mode: number }> {
  try {
    const file = await open(path, 'r')
    try {
      const { mode } = await file.stat()
      const most = passphraseBytes.max + 2
      const { buffer, bytesRead } = await file.read(Buffer.alloc(most + 1), 0, most + 1, 0)
      return { text: buffer.toString('utf8', 0, bytesRead), mode }
    } finally {
      await file.close()
    }
  } catch (cause) {
    const { code } = cause as { code?: unknown }
    const words = `The passphrase of backups in ${path} can't be read (${String(code)}): the user who runs Postern must be able to read it.`
    throw new Failure('unavailable', words, { retry_after: 60 }, { cause })
  }
}

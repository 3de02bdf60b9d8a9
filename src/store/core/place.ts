// The choice of a site's database: the file in its home, or the PostgreSQL database of its settings.

import { readFile } from 'node:fs/promises'
import { errorMessage } from '../../base/error-message.ts'
import { Failure } from '../../base/failure.ts'
import type { DatabasePlace } from './database.ts'
import { readPostgresAddress } from '../postgres/address.ts'

export interface DatabaseSettings {
  /** `POSTERN_DATABASE_URL`. */
  readonly url: string | undefined
  /** `POSTERN_DATABASE_PASSWORD_FILE`. */
  readonly passwordFile: string | undefined
  /** The path of the SQLite file, for a site without a URL. */
  readonly path: string
}

/** @throws Failure `refused` for an address or a password that can't be used; its sentence never contains the password */
export async function findDatabase({ url, passwordFile, path }: DatabaseSettings): Promise<DatabasePlace> {
  if (url === undefined) return { path }
  const password = passwordFile === undefined ? undefined : await readPassword(passwordFile)
  try {
    return { postgres: readPostgresAddress(url, password) }
  } catch (error) {
    throw new Failure('refused', errorMessage(error), { hint: 'POSTERN_DATABASE_URL=postgres://postern@db.example.org/postern' })
  }
}

/** Returns the first line of the file. */
async function readPassword(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new Failure('refused', `The password of the database can't be read: ${errorMessage(error)}.`, {
      hint: 'POSTERN_DATABASE_PASSWORD_FILE must name a file that the user who runs Postern can read',
    })
  })
  const [password = ''] = text.split(/\r?\n/)
  if (password !== '') return password
  throw new Failure('refused', `The file ${path} has no password in its first line.`, { hint: 'POSTERN_DATABASE_PASSWORD_FILE' })
}

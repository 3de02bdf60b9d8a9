// A home with an account and a token, made once in a run and copied for each site that a test opens.

import { randomBytes, scryptSync } from 'node:crypto'
import { chmod, cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readPostgresAddress } from '../src/store/postgres/address.ts'
import { editRows } from './admin/edit-rows.ts'
import { findAddress, keepAddress, makePostgresDatabase } from './postgres.ts'
import { postern } from './postern.ts'
import { inheritedEnvironment } from './run-postern.ts'
import { sharedFolder } from './shared-folder.ts'

const password = 'correct horse battery staple'

/**
 * Puts a site with an account and a token into a home: made once by the command line, and copied for each site.
 * @param onPostgres whether its database is a PostgreSQL database
 */
export async function fillHome(home: string, onPostgres = false): Promise<string> {
  const template = await (onPostgres
    ? sharedFolder('template-postgres', (folder) => makeTemplate(folder, true))
    : sharedFolder('template', (folder) => makeTemplate(folder, false)))
  await cp(join(template, 'home'), home, { recursive: true, preserveTimestamps: true })
  for (const [name, mode] of Object.entries({ '.': 0o750, data: 0o700 })) await chmod(join(home, name), mode)
  const url = await findAddress(home)
  if (url !== undefined) await keepAddress(home, (await makePostgresDatabase(readPostgresAddress(url).database)).url)
  return readFile(join(template, 'token'), 'utf8')
}

async function makeTemplate(folder: string, onPostgres: boolean): Promise<void> {
  const home = join(folder, 'home')
  const url = onPostgres ? (await makePostgresDatabase()).url : undefined
  const env = { ...inheritedEnvironment(), POSTERN_HOME: home, ...(url ? { POSTERN_DATABASE_URL: url } : {}) }
  const made = await postern(env, ['admin', 'create', '--email', 'owner@example.org', '--name', 'Owner'], `${password}\n`)
  if (made.code !== 0) throw new Error(`admin create: ${made.stderr}`)
  const minted = await postern(env, ['token', 'create', '--name', 'test'])
  if (minted.code !== 0) throw new Error(`token create: ${minted.stderr}`)
  if (url !== undefined) await keepAddress(home, url)
  await editRows(home, 'update account set password_hash = ?', quickHash(password))
  await writeFile(join(folder, 'token'), minted.stdout.trim())
}

/** A hash that fits the password as well as any other, and takes no time: the parameters of a stored hash are its own. */
function quickHash(text: string): string {
  const salt = randomBytes(16)
  return ['scrypt', 2, 8, 1, salt.toString('base64url'), scryptSync(text, salt, 32, { N: 2 }).toString('base64url')].join('$')
}

// A home with an account and a token, made once in a run and copied for each site that a test opens.

import { randomBytes, scryptSync } from 'node:crypto'
import { chmod, cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editRows } from './admin/edit-rows.ts'
import { inheritedEnvironment, runPostern } from './run-postern.ts'
import { sharedFolder } from './shared-folder.ts'

const password = 'correct horse battery staple'

/** Puts a site with an account and a token into a home: made once by the command line, and copied for each site. */
export async function fillHome(home: string): Promise<string> {
  const template = await sharedFolder('template', makeTemplate)
  await cp(join(template, 'home'), home, { recursive: true, preserveTimestamps: true })
  for (const [name, mode] of Object.entries({ '.': 0o750, data: 0o700 })) await chmod(join(home, name), mode)
  return readFile(join(template, 'token'), 'utf8')
}

async function makeTemplate(folder: string): Promise<void> {
  const home = join(folder, 'home')
  const env = { ...inheritedEnvironment(), POSTERN_HOME: home }
  const made = await runPostern(env, ['admin', 'create', '--email', 'owner@example.org', '--name', 'Owner'], `${password}\n`)
  if (made.code !== 0) throw new Error(`admin create: ${made.stderr}`)
  const minted = await runPostern(env, ['token', 'create', '--name', 'test'])
  if (minted.code !== 0) throw new Error(`token create: ${minted.stderr}`)
  await editRows(home, 'update account set password_hash = ?', quickHash(password))
  await writeFile(join(folder, 'token'), minted.stdout.trim())
}

/** A hash that fits the password as well as any other, and takes no time: the parameters of a stored hash are its own. */
function quickHash(text: string): string {
  const salt = randomBytes(16)
  return ['scrypt', 2, 8, 1, salt.toString('base64url'), scryptSync(text, salt, 32, { N: 2 }).toString('base64url')].join('$')
}

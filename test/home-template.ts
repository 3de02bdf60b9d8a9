// A home with an account and a token, made once in a run and copied for each site that a test opens.

import { randomBytes, scryptSync } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { chmod, cp, mkdtemp, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { editRows } from './admin/edit-rows.ts'
import { inheritedEnvironment, runPostern } from './run-postern.ts'

const password = 'correct horse battery staple'

interface Template {
  readonly home: string
  readonly token: string
}

let template: Promise<Template> | undefined

/** Puts a site with an account and a token into a home: made once by the command line, and copied for each site. */
export async function fillHome(home: string): Promise<string> {
  const made = await (template ??= findTemplate())
  await cp(made.home, home, { recursive: true, preserveTimestamps: true })
  for (const [name, mode] of Object.entries({ '.': 0o750, data: 0o700 })) await chmod(join(home, name), mode)
  return made.token
}

/** The files of one run share a template, below a folder that the runner names and takes away; a file that runs alone has its own. */
async function findTemplate(): Promise<Template> {
  const shared = process.env['TEST_OUTDIR']
  if (shared !== undefined) return shareTemplate(join(shared, 'template'))
  const folder = await mkdtemp(join(tmpdir(), 'postern-test-template-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return makeTemplate(folder)
}

/** Of two files that make it at once, one puts it in place and both use that one. */
async function shareTemplate(place: string): Promise<Template> {
  const find = async () => ({ home: join(place, 'home'), token: await readFile(join(place, 'token'), 'utf8') })
  if (existsSync(place)) return find()
  const folder = await mkdtemp(`${place}-`)
  await makeTemplate(folder)
  await rename(folder, place).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return find()
}

async function makeTemplate(folder: string): Promise<Template> {
  const home = join(folder, 'home')
  const env = { ...inheritedEnvironment(), POSTERN_HOME: home }
  const made = await runPostern(env, ['admin', 'create', '--email', 'owner@example.org', '--name', 'Owner'], `${password}\n`)
  if (made.code !== 0) throw new Error(`admin create: ${made.stderr}`)
  const minted = await runPostern(env, ['token', 'create', '--name', 'test'])
  if (minted.code !== 0) throw new Error(`token create: ${minted.stderr}`)
  const token = minted.stdout.trim()
  await editRows(home, 'update account set password_hash = ?', quickHash(password))
  await writeFile(join(folder, 'token'), token)
  return { home, token }
}

/** A hash that fits the password as well as any other, and takes no time: the parameters of a stored hash are its own. */
function quickHash(text: string): string {
  const salt = randomBytes(16)
  return ['scrypt', 2, 8, 1, salt.toString('base64url'), scryptSync(text, salt, 32, { N: 2 }).toString('base64url')].join('$')
}

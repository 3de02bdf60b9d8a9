// Checks if the reverse proxy serves the protected folders. The check plants files, requests them through the public address in
// every spelling, and deletes them. The service itself never serves them, but a reverse proxy that reads from disk may.

import { randomBytes } from 'node:crypto'
import { readdir, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BaseUrl } from '../../config.ts'
import { broken, ok, unknown, type Verdict } from '../../doctor/finding.ts'
import { lineOf } from '../../doctor/front-fix.ts'
import { denyFix } from '../../doctor/front-lines.ts'
import { probePrefix } from '../../identity/home.ts'
import { unlessMissing } from '../../missing.ts'
import type { Services } from '../services.ts'
import type { Check } from './check.ts'
import { protectedFolders, spellingsOf } from '../../doctor/protected-paths.ts'

/** Common endings of files in each folder, because web servers also decide by the ending. */
const endings: Readonly<Record<(typeof protectedFolders)[number], readonly string[]>> = {
  '/user-content/logs': ['.log'],
  '/user-content/skills': ['.md'],
  '/user-content/uploads/protected': ['.pdf', '.png'],
}

interface Planted {
  readonly folder: string
  readonly name: string
  readonly path: string
  readonly nonce: string
}

interface Asked {
  readonly folder: string
  /** The requested path, with `…` for the file's name. */
  readonly spelling: string
  readonly outcome: 'readable' | 'closed' | 'failed'
  readonly server?: string | undefined
}

export const protectedFoldersCheck: Check = {
  id: 'protected-folders',
  outside: true,
  async run(site, signal) {
    const base = site.config.POSTERN_BASE_URL
    if (!base)
      return unknown(
        'It is unknown whether the protected folders can be read from outside: the address of the site is not set.',
        noAddress,
      )
    const planted: Planted[] = []
    try {
      await sweep(site.config.POSTERN_HOME)
      for (const folder of protectedFolders)
        for (const ending of endings[folder]) planted.push(await plant(site.config.POSTERN_HOME, folder, ending))
      return resultOf(
        base,
        await askAll({ site, base, signal: AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]) }, planted),
      )
    } finally {
      for (const { path } of planted) await unlessMissing(unlink(path))
    }
  },
}

const noAddress = 'Set POSTERN_BASE_URL to the address of the site, then: systemctl restart postern'

async function plant(home: string, folder: string, ending: string): Promise<Planted> {
  const name = `${probePrefix}${randomBytes(8).toString('hex')}${ending}`
  const path = join(home, folder, name)
  const nonce = randomBytes(16).toString('hex')
  await writeFile(path, nonce, { flag: 'wx', mode: 0o644 })
  return { folder, name, path, nonce }
}

const leftoverMs = 10 * 60_000

/** Deletes files that a killed process left. */
async function sweep(home: string): Promise<void> {
  for (const folder of protectedFolders) {
    const names = (await unlessMissing(readdir(join(home, folder)))) ?? []
    for (const path of names.filter((name) => name.startsWith(probePrefix)).map((name) => join(home, folder, name))) {
      const found = await unlessMissing(stat(path))
      if (found && Date.now() - found.mtimeMs > leftoverMs) await unlessMissing(unlink(path))
    }
  }
}

const atOnce = 6
const timeoutMs = 4000
/** The time limit for all requests together. */
const deadlineMs = 15_000
const maxBytes = 1024 ** 2

interface Asking {
  readonly site: Services
  readonly base: BaseUrl
  readonly signal: AbortSignal
}

async function askAll(asking: Asking, planted: readonly Planted[]): Promise<readonly Asked[]> {
  const left = planted.flatMap((file) => [
    ...spellingsOf(file.folder, file.name).map((path) => ({ file, path })),
    // A listing of the folder would show the name of the file.
    { file, path: `${file.folder}/` },
  ])
  const [first, ...others] = left
  if (!first) return []
  const answers = [await ask(asking, first.file, first.path)]
  // If the first request gets no answer, sixty more would not help.
  if (answers[0]?.outcome === 'failed') return answers
  const askInTurn = async () => {
    for (let next = others.shift(); next; next = others.shift()) answers.push(await ask(asking, next.file, next.path))
  }
  await Promise.all(Array.from({ length: atOnce }, askInTurn))
  return answers
}

async function ask({ site, base, signal }: Asking, { folder, name, nonce }: Planted, path: string): Promise<Asked> {
  const about = { folder, spelling: path.replace(name, '…') }
  const options = { ownAddress: true, rawPath: `${base.path}${path}`, maxHops: 2, timeoutMs, maxBytes, signal }
  try {
    const { body, headers } = await site.outbound.fetch(`${base.scheme}://${base.host}/`, options)
    const text = Buffer.from(body).toString('latin1')
    const isListing = path.endsWith('/') && text.includes(name)
    const server = [headers['server'] ?? ''].flat().join(' ')
    return { ...about, outcome: text.includes(nonce) || isListing ? 'readable' : 'closed', server }
  } catch {
    return { ...about, outcome: 'failed' }
  }
}

const maxTold = 12

function resultOf(base: BaseUrl, asked: readonly Asked[]): Verdict {
  const readable = asked.filter(({ outcome }) => outcome === 'readable')
  if (readable.length > 0) {
    const folders = protectedFolders.filter((folder) => readable.some((one) => one.folder === folder))
    const paths = [...new Set(readable.map(({ spelling }) => base.path + spelling))].sort((a, b) => a.length - b.length)
    const more = paths.length > maxTold ? ` and in ${paths.length - maxTold} more spellings` : ''
    const message =
      `Anyone can read the files in ${folders.map((folder) => `${base.path}${folder}/`).join(', ')}: ` +
      `the web server serves them at ${paths.slice(0, maxTold).join(' , ')}${more}.`
    return broken(message, lineOf(denyFix(base), readable[0]?.server))
  }
  const failed = asked.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return ok("The protected folders can't be read from outside.")
  const where = `${base.scheme}://${base.host}${base.path}`
  return asked.length === failed.length
    ? unknown(
        `The site could not be reached at its own address ${where} from this machine.`,
        'Check POSTERN_BASE_URL, DNS and firewall.',
      )
    : unknown(
        `Not every spelling of the protected folders could be tried: ${failed.length} requests to ${where} got no answer.`,
        'Try again.',
      )
}

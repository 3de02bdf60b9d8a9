// Checks if the reverse proxy serves the protected folders. The service itself never does, but a proxy that reads from disk may.
// The check plants files, requests them through the public address in every spelling, and deletes them.

import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type BaseUrl, baseUrlText } from '../../base/config.ts'
import { broken, ok, unknown, type Verdict } from '../../doctor/finding.ts'
import { lineOf } from '../../doctor/front-fix.ts'
import { denyFix } from '../../doctor/front-lines.ts'
import { probePrefix } from '../../identity/home.ts'
import { unlessMissing } from '../../base/missing.ts'
import { protectedFolders, spellingsOf } from '../../doctor/protected-paths.ts'
import type { OperationServices } from '../call/services.ts'
import type { Check } from './health-check.ts'
import { noAddress, plant, type Planted } from './planted-file.ts'

/** Common endings of files in each folder, because web servers also decide by the ending. */
const endings: Readonly<Record<(typeof protectedFolders)[number], readonly string[]>> = {
  '/user-content/logs': ['.log'],
  '/user-content/skills': ['.md'],
  '/user-content/uploads/protected': ['.pdf', '.png'],
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
    if (!base) return noAddress('whether the protected folders can be read from outside')
    const planted: Planted[] = []
    try {
      await sweep(site.config.POSTERN_HOME)
      for (const folder of protectedFolders)
        for (const ending of endings[folder]) planted.push(await plant(site.config.POSTERN_HOME, folder, ending))
      const ending = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)])
      return resultOf(base, await askAll({ site, base, signal: ending }, planted))
    } finally {
      for (const { path } of planted) await unlessMissing(unlink(path))
    }
  },
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
  readonly site: OperationServices
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

const maxShown = 12

function resultOf(base: BaseUrl, asked: readonly Asked[]): Verdict {
  const readable = asked.filter(({ outcome }) => outcome === 'readable')
  if (readable.length > 0) {
    const folders = protectedFolders.filter((folder) => readable.some((one) => one.folder === folder))
    const paths = [...new Set(readable.map(({ spelling }) => base.path + spelling))].sort((a, b) => a.length - b.length)
    const more = paths.length > maxShown ? ` and in ${paths.length - maxShown} more spellings` : ''
    const message =
      `Anyone can read the files in ${folders.map((folder) => `${base.path}${folder}/`).join(', ')}: ` +
      `the web server serves them at ${paths.slice(0, maxShown).join(' , ')}${more}.`
    return broken(message, lineOf(denyFix(base), readable[0]?.server))
  }
  const failed = asked.filter(({ outcome }) => outcome === 'failed')
  if (failed.length === 0) return ok("The protected folders can't be read from outside.")
  const where = baseUrlText(base)
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

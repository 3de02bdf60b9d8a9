// Checks if an upload could run as a page of the site. The check plants an .html and an .svg file, requests them through the public
// address, and deletes them.

import { unlink } from 'node:fs/promises'
import { type BaseUrl, baseUrlText } from '../../base/config.ts'
import { broken, ok, unknown } from '../../doctor/finding.ts'
import { type FrontFix, lineOf } from '../../doctor/front-fix.ts'
import { siteFile } from '../../doctor/front-lines.ts'
import type { OutboundAnswer } from '../../outbound/outbound.ts'
import type { OperationServices, ProgramServices } from '../call/services.ts'
import type { Check } from './health-check.ts'
import { noAddress, plant } from './planted-file.ts'

const endings = ['.html', '.svg'] as const

export const uploadsCheck: Check = {
  id: 'uploads',
  outside: true,
  async run(site, signal) {
    const base = site.config.POSTERN_BASE_URL
    if (!base) return noAddress('how uploads are served')
    const live: string[] = []
    let server = ''
    for (const ending of endings) {
      const asked = await askPlanted(site, base, ending, signal)
      if (!asked) return unknown('The site could not be reached at its own address from this machine.')
      if (isLive(asked.answer, asked.nonce)) live.push(ending)
      server = [asked.answer.headers['server'] ?? ''].flat().join(' ')
    }
    if (live.length === 0) return ok('No upload can run as a page.')
    const message = `An upload that ends in ${live.join(' or ')} runs in a visitor's browser as a page of this site.`
    return broken(message, lineOf(harmlessOnly(base), server))
  },
}

const harmlessOnly = (base: BaseUrl): FrontFix => ({
  nginx: 'include snippets/postern-upload.conf;   in the location of uploads, which is for pictures, sound, film and fonts only',
  file: siteFile(base),
  apache: `Remove: Alias ${base.path}/user-content   and pass it to Postern`,
  caddy: 'Remove: file_server   for /user-content, and pass it to Postern',
})

/** Requests a planted file. Returns undefined if no answer comes. */
async function askPlanted(site: OperationServices & ProgramServices, base: BaseUrl, ending: string, signal: AbortSignal) {
  const { name, path, nonce } = await plant(site.config.POSTERN_HOME, '/user-content/uploads', ending)
  try {
    const options = { ownAddress: true, maxHops: 2, timeoutMs: 4000, signal }
    const url = `${baseUrlText(base)}/user-content/uploads/${name}`
    return { answer: await site.outbound.fetch(url, options), nonce }
  } catch {
    return undefined
  } finally {
    await unlink(path)
  }
}

/** True if a browser would run the answer: no header makes it a download, a harmless type, or a sandboxed page. */
function isLive({ status, headers, body }: OutboundAnswer, nonce: string): boolean {
  const header = (name: string) => [headers[name] ?? ''].flat().join(',').toLowerCase()
  const isServed = status === 200 && Buffer.from(body).toString('latin1').includes(nonce)
  const isShut = header('content-disposition').startsWith('attachment') || header('content-security-policy').includes('sandbox')
  const isRunnable = /html|svg|xml/.test(header('content-type')) || header('x-content-type-options') !== 'nosniff'
  return isServed && !isShut && isRunnable
}

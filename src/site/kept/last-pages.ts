// The last good HTML of each page on disk. Visitors get it while the theme can't render the page. A page is stored with the version
// of its content, so that changed or unpublished content is never shown.

import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../base/log.ts'
import { unlessMissing } from '../../base/missing.ts'

export interface PageAddress {
  readonly origin: string
  readonly path: string
  /** The page number in a list. */
  readonly page: number
  /** Changes whenever the content of the page does. */
  readonly version: string
}

export interface LastPages {
  /** Stores a page, unless it is stored already. It never throws, and no request waits for it. */
  keep(address: PageAddress, html: string): void
  find(address: PageAddress): Promise<string | undefined>
}

/**
 * The format of stored pages. Older ones may contain active markup that `themes/engine/last-look.ts` would remove, so they are not
 * shown.
 */
const form = 2

/** The most pages that one process stores. */
const maxPages = 5000

const headOf = ({ version }: PageAddress): string => JSON.stringify([form, version])

export function openLastPages(home: string, log: Log): LastPages {
  const folder = join(home, 'data', 'pages')
  /** Hashes of the pages that this process has written, by file. */
  const written = new Map<string, string>()
  const fileOf = ({ origin, path, page }: PageAddress): string =>
    join(folder, createHash('sha256').update(`${origin} ${page} ${path}`).digest('hex'))

  const write = async (file: string, content: string): Promise<void> => {
    const draft = `${file}.${process.pid}.tmp`
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(draft, content, { mode: 0o600 })
      await rename(draft, file)
    } catch (error) {
      written.delete(file)
      await rm(draft, { force: true }).catch(() => undefined)
      log.debug('last good page not kept', { error })
    }
  }

  return {
    keep(address, html) {
      const content = `${headOf(address)}\n${html}`
      const hash = createHash('sha256').update(content).digest('base64')
      const file = fileOf(address)
      if (written.get(file) === hash || (!written.has(file) && written.size >= maxPages)) return
      written.set(file, hash)
      void write(file, content)
    },
    async find(address) {
      const content = await unlessMissing(readFile(fileOf(address), 'utf8'))
      const end = content?.indexOf('\n') ?? -1
      if (content === undefined || end < 0) return undefined
      return content.slice(0, end) === headOf(address) ? content.slice(end + 1) : undefined
    },
  }
}

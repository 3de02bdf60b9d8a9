// An export of a whole site as `postern import` gets it: a folder, or a zip, which is unpacked for as long as it is read.

import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { markName } from '../base/export-mark.ts'
import type { SourceFiles } from '../imports/source-files.ts'
import { unpackableBytes } from '../imports/sources/limits.ts'
import { openZip } from '../imports/sources/zip-source.ts'

/** The folder of an export. `close` removes it if it was unpacked. */
export interface OwnExport {
  readonly folder: string
  close(): Promise<void>
}

/**
 * Opens a folder or zip with the mark of an export of a whole site; undefined for anything else.
 * @param staging the folder in which a zip is unpacked
 * @throws Failure as `openZip` does; `too_large` for a zip that the disk has no room for
 */
export async function openOwnExport(path: string, staging: string): Promise<OwnExport | undefined> {
  const found = await unlessMissing(stat(path))
  if (found?.isDirectory()) {
    const isOwn = (await unlessMissing(stat(join(path, markName)))) !== undefined
    return isOwn ? { folder: path, close: () => Promise.resolve() } : undefined
  }
  if (!found?.isFile() || !(await isZip(path))) return undefined
  const files = await openZip(path)
  try {
    return files.sizes.has(markName) ? await unpack(files, staging) : undefined
  } finally {
    await files.close()
  }
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1', 0, bytesRead) === 'PK\u0003\u0004'
  } finally {
    await file.close()
  }
}

async function unpack(files: SourceFiles, staging: string): Promise<OwnExport> {
  await mkdir(staging, { recursive: true, mode: 0o700 })
  const bytes = [...files.sizes.values()].reduce((sum, size) => sum + size, 0)
  if (bytes > (await unpackableBytes(staging)))
    throw new Failure('too_large', 'The archive would fill more than half of the free disk.', {})
  const folder = await mkdtemp(join(staging, 'own-'))
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    for (const path of files.sizes.keys()) {
      const to = join(folder, path)
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await pipeline(files.open(path), createWriteStream(to, { mode: 0o600, flags: 'wx' }))
    }
    return { folder, close }
  } catch (error) {
    await close()
    throw error
  }
}

// An export of Postern as a folder, for as long as it is read: the folder itself, or an archive that is unpacked.

import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { markName } from '../../../base/export-mark.ts'
import { Failure } from '../../../base/failure.ts'
import { unlessMissing } from '../../../base/missing.ts'
import { ownRootOf } from '../../../imports/own-export.ts'
import type { SourceFiles } from '../../../imports/source-files.ts'
import { unpackableBytes } from '../../../imports/sources/limits.ts'
import { openZip } from '../../../imports/sources/zip-source.ts'

/** The folder of an export. `close` removes it if it was unpacked from a zip. */
export interface OwnFolder {
  readonly folder: string
  close(): Promise<void>
}

/**
 * Opens a folder or zip with the mark of an export; undefined for anything else.
 * @param staging the folder in which a zip is unpacked
 * @throws Failure as `openZip` does; `too_large` for a zip that the disk has no room for
 */
export async function openOwnFolder(path: string, staging: string): Promise<OwnFolder | undefined> {
  const found = await unlessMissing(stat(path))
  if (found?.isDirectory()) {
    const isOwn = (await unlessMissing(stat(join(path, markName)))) !== undefined
    return isOwn ? { folder: path, close: () => Promise.resolve() } : undefined
  }
  if (!found?.isFile() || !(await isZip(path))) return undefined
  const files = await openZip(path)
  try {
    return ownRootOf(files) === undefined ? undefined : await unpackOwn(files, staging)
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

/** Unpacks an export into a new folder, without the folder that it may stand in. @param staging the folder above it */
export async function unpackOwn(files: SourceFiles, staging: string): Promise<OwnFolder> {
  await mkdir(staging, { recursive: true, mode: 0o700 })
  const root = ownRootOf(files) ?? ''
  const inside = [...files.sizes.keys()].filter((path) => path.startsWith(root))
  const bytes = inside.reduce((sum, path) => sum + (files.sizes.get(path) ?? 0), 0)
  if (bytes > (await unpackableBytes(staging)))
    throw new Failure('too_large', 'The archive would fill more than half of the free disk.', {})
  const folder = await mkdtemp(join(staging, 'own-'))
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    for (const path of inside) {
      const to = join(folder, path.slice(root.length))
      await mkdir(dirname(to), { recursive: true, mode: 0o700 })
      await pipeline(files.open(path), createWriteStream(to, { mode: 0o600, flags: 'wx' }))
    }
    return { folder, close }
  } catch (error) {
    await close()
    throw error
  }
}

// An export of Postern as a folder, for as long as it is read: the folder itself, or an archive that is unpacked.

import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { markName } from '../../../base/export-mark.ts'
import { Failure } from '../../../base/failure.ts'
import { unlessMissing } from '../../../base/missing.ts'
import { ownRootOf } from '../../../imports/own-export.ts'
import type { SourceFiles } from '../../../imports/source-files.ts'
import { unpackableBytes } from '../../../imports/sources/limits.ts'
import { openSource } from '../../../imports/sources/open-source.ts'

/** The folder of an export. `close` removes it if it was unpacked from an archive. */
export interface OwnFolder {
  readonly folder: string
  close(): Promise<void>
}

/**
 * Opens a folder or archive with the mark of an export; undefined for anything else.
 * @param staging the folder in which an archive is unpacked
 * @throws Failure as `openSource` does; `too_large` for an archive that the disk has no room for
 */
export async function openOwnFolder(path: string, staging: string): Promise<OwnFolder | undefined> {
  const found = await unlessMissing(stat(path))
  if (found?.isDirectory()) {
    const isOwn = (await unlessMissing(stat(join(path, markName)))) !== undefined
    return isOwn ? { folder: path, close: () => Promise.resolve() } : undefined
  }
  if (!found) return undefined
  await mkdir(staging, { recursive: true, mode: 0o700 })
  const files = await openSource(path, staging)
  try {
    return ownRootOf(files) === undefined ? undefined : await unpackOwn(files, staging)
  } finally {
    await files.close()
  }
}

/** Unpacks an export into a new folder, without the folder that it may stand in. @param staging the folder above it */
export async function unpackOwn(files: SourceFiles, staging: string): Promise<OwnFolder> {
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

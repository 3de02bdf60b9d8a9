// Opens what somebody imports: a folder, an archive or one file, by its first bytes and not by its name.

import { createReadStream } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { Failure } from '../../base/failure.ts'
import { unlessMissing } from '../../base/missing.ts'
import type { SourceFiles } from '../source-files.ts'
import { openFolder } from './folder-source.ts'
import { checkUnpacked } from './limits.ts'
import { openUnpacked } from './unpacked-source.ts'
import { openZip } from './zip-source.ts'

/**
 * Opens a file or folder. The caller closes it.
 * @param staging an existing folder for what must be unpacked first
 * @throws Failure `not_found` if there is nothing, `unprocessable` for a damaged archive, `too_large` beyond the limits
 */
export async function openSource(path: string, staging: string): Promise<SourceFiles> {
  const found = await unlessMissing(stat(path))
  if (!found) throw new Failure('not_found', `There is no file ${JSON.stringify(path)}.`)
  if (found.isDirectory()) return openFolder(path)
  if (!found.isFile()) throw new Failure('unprocessable', `${JSON.stringify(path)} is no file and no folder.`)
  const head = await firstBytes(path)
  if (head.toString('latin1', 0, 4) === 'PK\u0003\u0004') return openZip(path)
  const isGzip = head[0] === 0x1f && head[1] === 0x8b
  if (isGzip || head.toString('latin1', 257, 262) === 'ustar') return openUnpacked(path, { staging, isGzip })
  checkUnpacked(found.size)
  const name = basename(path)
  return {
    name,
    sizes: new Map([[name, found.size]]),
    leftOut: [],
    open: () => createReadStream(path, { highWaterMark: 256 * 1024 }),
    close: () => Promise.resolve(),
  }
}

async function firstBytes(path: string): Promise<Buffer> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

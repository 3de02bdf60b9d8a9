// The files of a zip, read in place. Its directory tells all sizes, so that the limits hold before anything is unpacked, and yauzl
// ends a file that has more bytes than the directory said.

import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Entry } from 'yauzl'
import { Failure } from '../../base/failure.ts'
import { createLate } from '../../base/late.ts'
import type { SourceFiles } from '../source-files.ts'
import { checkMembers, checkUnpacked } from './limits.ts'
import { createMemberNames } from './member-names.ts'

/** CommonJS: in the bundle, its members are only on `default`. */
const yauzl = createLate(async () => (await import('yauzl')).default)

const kindMask = 0o170000
const regular = 0o100000
const link = 0o120000

/** @throws Failure `unprocessable`, or `too_large` */
export async function openZip(file: string): Promise<SourceFiles> {
  const { openPromise, getFileNameLowLevel } = await yauzl()
  const { size: packed } = await stat(file)
  const zip = await openPromise(file, { autoClose: false, decodeStrings: false }).catch((error: unknown) => {
    throw damaged(error)
  })
  try {
    checkMembers(zip.entryCount)
    const names = createMemberNames()
    const entries = new Map<string, Entry>()
    let bytes = 0
    for await (const entry of zip.eachEntry()) {
      // yauzl ends at a name that leaves the folder; here it is named and left out.
      const name = getFileNameLowLevel(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields, false)
      if (name.endsWith('/')) continue
      const fault = faultOf(entry)
      if (fault !== undefined) {
        names.leaveOut(name, fault)
        continue
      }
      bytes += entry.uncompressedSize
      checkUnpacked(bytes, packed)
      const path = names.accept(name)
      if (path !== undefined) entries.set(path, entry)
    }
    const sorted = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
    return {
      name: basename(file),
      sizes: new Map(sorted.map(([path, entry]) => [path, entry.uncompressedSize])),
      leftOut: names.leftOut,
      async *open(path) {
        const entry = entries.get(path)
        if (!entry) throw new Error(`No file ${path} in the zip.`)
        try {
          yield* await zip.openReadStreamPromise(entry)
        } catch (error) {
          throw damaged(error)
        }
      },
      close() {
        zip.close()
        return Promise.resolve()
      },
    }
  } catch (error) {
    zip.close()
    throw error instanceof Failure ? error : damaged(error)
  }
}

function faultOf(entry: Entry): string | undefined {
  const kind = (entry.externalFileAttributes >>> 16) & kindMask
  if (kind === link) return 'a symbolic link'
  if (kind !== 0 && kind !== regular) return 'no file'
  if (entry.isEncrypted()) return 'encrypted: unpack the zip with its password, and import the folder'
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    return 'compressed by a method that is not supported: use deflate'
  return undefined
}

const damaged = (cause: unknown): Failure =>
  new Failure('unprocessable', 'The zip is damaged or was cut off.', { hint: 'Export or download it again.' }, { cause })

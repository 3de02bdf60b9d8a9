// The files of a tar, of a tar in gzip, or one file in gzip. They can be read only in their order, so they are unpacked to a
// staging folder, under numbers instead of their names.

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, open, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Failure } from '../../base/failure.ts'
import type { SourceFiles } from '../source-files.ts'
import { checkMembers, checkUnpacked, unpackableBytes } from './limits.ts'
import { createMemberNames, type MemberNames } from './member-names.ts'

interface Unpacked {
  /** The numbers and sizes of the unpacked files by their paths. */
  readonly files: Map<string, { readonly number: number; readonly size: number }>
  readonly names: MemberNames
}

/**
 * Unpacks a file that begins as a tar or gzip does.
 * @param staging an existing folder; a folder in it is used until `close`
 * @throws Failure `unprocessable`, or `too_large`
 */
export async function openUnpacked(
  file: string,
  { staging, isGzip }: { staging: string; isGzip: boolean },
): Promise<SourceFiles> {
  const folder = await mkdtemp(join(staging, 'import-'))
  const close = () => rm(folder, { recursive: true, force: true })
  try {
    const { size: packed } = await stat(file)
    const limited = limit(packed, await unpackableBytes(folder))
    const stages = isGzip ? [createGunzip(), limited] : [limited]
    const plain = join(folder, 'plain')
    await pipeline([createReadStream(file), ...stages, createWriteStream(plain, { mode: 0o600 })])
    const { files, names } = (await beginsAsTar(plain))
      ? await unpackTar(plain, folder)
      : { files: new Map([[nameWithin(file), { number: 0, size: (await stat(plain)).size }]]), names: createMemberNames() }
    const sorted = [...files].sort(([one], [other]) => (one < other ? -1 : 1))
    return {
      name: basename(file),
      sizes: new Map(sorted.map(([path, { size }]) => [path, size])),
      leftOut: names.leftOut,
      open(path) {
        const found = files.get(path)
        if (!found) throw new Error(`No file ${path} in the archive.`)
        return createReadStream(found.number === 0 ? plain : join(folder, String(found.number)), { highWaterMark: 256 * 1024 })
      },
      close,
    }
  } catch (error) {
    await close()
    if (error instanceof Failure) throw error
    throw new Failure(
      'unprocessable',
      'The archive is damaged or was cut off.',
      { hint: 'Export or download it again.' },
      { cause: error },
    )
  }
}

/** Ends a stream that becomes too large for the limits or the disk. */
function limit(packed: number, most: number): Transform {
  let bytes = 0
  return new Transform({
    transform(part: Uint8Array, _encoding, done) {
      bytes += part.byteLength
      try {
        checkUnpacked(bytes, packed)
        if (bytes > most) throw new Failure('too_large', 'The archive would fill more than half of the free disk.', {})
        done(null, part)
      } catch (error) {
        done(error as Error)
      }
    },
  })
}

/** The name of the file in a gzip: that of the gzip without its ending. */
const nameWithin = (file: string): string => basename(file).replace(/\.gz$/i, '') || 'file'

/** True for a file with the mark of a tar (POSIX.1-1988, `ustar`). */
async function beginsAsTar(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(512), 0, 512, 0)
    return bytesRead === 512 && buffer.toString('latin1', 257, 262) === 'ustar'
  } finally {
    await handle.close()
  }
}

async function unpackTar(plain: string, folder: string): Promise<Unpacked> {
  const { default: tar } = await import('tar-stream')
  const names = createMemberNames()
  const files: Unpacked['files'] = new Map()
  const extract = tar.extract()
  const reading = pipeline(createReadStream(plain, { highWaterMark: 256 * 1024 }), extract)
  reading.catch(() => undefined)
  let seen = 0
  for await (const member of extract) {
    checkMembers(++seen)
    const { name, type, size } = member.header
    if (type !== 'file' && type !== 'directory' && type !== 'contiguous-file')
      names.leaveOut(name, type === 'symlink' || type === 'link' ? 'a link' : 'no file')
    const path = type === 'file' || type === 'contiguous-file' ? names.accept(name) : undefined
    if (path === undefined) member.resume()
    else {
      await pipeline(member, createWriteStream(join(folder, String(seen)), { mode: 0o600 }))
      files.set(path, { number: seen, size })
    }
  }
  await reading
  return { files, names }
}

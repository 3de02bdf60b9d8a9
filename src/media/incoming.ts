// Uploaded files that wait for a call. Each can be used once and is removed after an hour. The call checks the content.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { isDiskFull } from '../base/unwritable.ts'
import { newId } from '../store/core/ids.ts'
import { diskFailure } from './media-store.ts'

const keptMs = 3_600_000
const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/

const folderOf = (home: string): string => join(home, 'data', 'incoming')

export interface Incoming {
  /** The id by which a call uses it. */
  readonly id: string
  readonly bytes: number
  /** The hash of the whole file, in hex. */
  readonly sha256: string
}

/**
 * Stores a stream as a file. If the stream fails, the file is removed.
 * @param id the id by which a call will use it
 * @throws Failure `too_large`; `unavailable` if the disk is full; any error of the stream
 */
export async function keepIncoming(
  home: string,
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  now: number,
  id: string = newId(now),
): Promise<Incoming> {
  const folder = folderOf(home)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweepIncoming(home, now)
  const file = join(folder, id)
  const hash = createHash('sha256')
  let bytes = 0
  const measured = async function* (): AsyncIterable<Uint8Array> {
    for await (const part of stream) {
      bytes += part.byteLength
      if (bytes > maxBytes)
        throw new Failure('too_large', `A file may have at most ${maxBytes / 1024 ** 2} MiB.`, { limit: maxBytes })
      hash.update(part)
      yield part
    }
  }
  try {
    await pipeline(measured, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  } catch (error) {
    await rm(file, { force: true })
    throw isDiskFull(error) ? await diskFailure(folder, error) : error
  }
  return { id, bytes, sha256: hash.digest('hex') }
}

/** The path of the file with this id; undefined if it doesn't exist, was used or has expired. */
export async function findIncoming(home: string, id: string, now: number): Promise<string | undefined> {
  if (!idForm.test(id)) return undefined
  const file = join(folderOf(home), id)
  const found = await unlessMissing(stat(file))
  return found && !isOld(found.mtimeMs, now) ? file : undefined
}

/**
 * Takes a file, so that no other call can use it. The caller removes it. Undefined if it doesn't exist, was used or has expired.
 */
export async function takeIncoming(home: string, id: string, now: number): Promise<string | undefined> {
  const file = await findIncoming(home, id, now)
  if (file === undefined) return undefined
  const taken = `${file}.taken`
  return unlessMissing(rename(file, taken).then(() => taken))
}

/** Gives a file the id that a call expects. */
export const renameIncoming = (home: string, id: string, to: string): Promise<void> =>
  rename(join(folderOf(home), id), join(folderOf(home), to))

/** Moves a file elsewhere on the same disk. */
export const moveIncoming = (home: string, id: string, to: string): Promise<void> => rename(join(folderOf(home), id), to)

/** Removes a file that no call will use. */
export async function dropIncoming(home: string, id: string): Promise<void> {
  if (idForm.test(id)) await rm(join(folderOf(home), id), { force: true })
}

/** Removes files that no call used within an hour, and files that a crash left. */
export async function sweepIncoming(home: string, now: number): Promise<void> {
  const folder = folderOf(home)
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const found = await unlessMissing(stat(join(folder, name)))
    if (found && isOld(found.mtimeMs, now)) await rm(join(folder, name), { force: true })
  }
}

const isOld = (mtimeMs: number, now: number): boolean => now - mtimeMs > keptMs

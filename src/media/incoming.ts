// Files that arrived and wait for the one call that takes them up: each is used once, and gone after an hour. What is in them is that call's.

import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { newId } from '../store/ids.ts'

const keptMs = 3_600_000
const idForm = /^[0-9a-hjkmnp-tv-z]{26}$/

const folderOf = (home: string): string => join(home, 'data', 'incoming')

/** A file that arrived. */
export interface Incoming {
  /** By which a call takes it up. */
  readonly id: string
  readonly bytes: number
  /** Of the whole file, in hex. */
  readonly sha256: string
}

/**
 * Keeps what a stream brings, and takes it away again when the stream fails.
 * @throws Failure `too_large`; whatever the stream fails with
 */
export async function keepIncoming(
  home: string,
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
  now: number,
): Promise<Incoming> {
  const folder = folderOf(home)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await sweepIncoming(home, now)
  const id = newId(now)
  const file = join(folder, id)
  const hash = createHash('sha256')
  let bytes = 0
  const measured = async function* (): AsyncIterable<Uint8Array> {
    for await (const part of stream) {
      bytes += part.byteLength
      if (bytes > maxBytes)
        throw new Failure('too_large', `A file may have at most ${maxBytes / 1024 ** 2} MiB here.`, { limit: maxBytes })
      hash.update(part)
      yield part
    }
  }
  try {
    await pipeline(measured, createWriteStream(file, { mode: 0o600, flags: 'wx' }))
  } catch (error) {
    await rm(file, { force: true })
    throw error
  }
  return { id, bytes, sha256: hash.digest('hex') }
}

/** The file of an id; undefined where there is none any more. */
export async function findIncoming(home: string, id: string, now: number): Promise<string | undefined> {
  if (!idForm.test(id)) return undefined
  const file = join(folderOf(home), id)
  const found = await unlessMissing(stat(file))
  return found && !isOld(found.mtimeMs, now) ? file : undefined
}

/** Takes the file of an id out of everybody else's reach; whoever takes it removes it. Undefined where there is none any more. */
export async function takeIncoming(home: string, id: string, now: number): Promise<string | undefined> {
  const file = await findIncoming(home, id, now)
  if (file === undefined) return undefined
  const taken = `${file}.taken`
  return unlessMissing(rename(file, taken).then(() => taken))
}

/** Takes away a file that nobody will take up. */
export async function dropIncoming(home: string, id: string): Promise<void> {
  if (idForm.test(id)) await rm(join(folderOf(home), id), { force: true })
}

/** Removes what nobody took up within an hour, and what a crash left. */
export async function sweepIncoming(home: string, now: number): Promise<void> {
  const folder = folderOf(home)
  for (const name of (await unlessMissing(readdir(folder))) ?? []) {
    const found = await unlessMissing(stat(join(folder, name)))
    if (found && isOld(found.mtimeMs, now)) await rm(join(folder, name), { force: true })
  }
}

const isOld = (mtimeMs: number, now: number): boolean => now - mtimeMs > keptMs

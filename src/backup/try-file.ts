// Tries a backup: its hashes, and then restored in a scratch place until a site takes a write from it.

import { mkdir } from 'node:fs/promises'
import { Failure } from '../failure.ts'
import { unlessMissing } from '../missing.ts'
import { checkCopy, type TrySite } from './check-copy.ts'
import { hashFile } from './file-parts.ts'
import { unpack } from './unpack.ts'

export interface TryOrder {
  readonly path: string
  /** Where it is restored; nothing is there yet. */
  readonly scratch: string
  /** What it was when it was made, in hex; undefined for any file. */
  readonly sha256?: string | undefined
  /** Of a sealed one. */
  readonly passphrase?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** @throws Failure `not_found`, `unprocessable` for one that is damaged or of no use, `refused` for one that is newer than the code, or for its passphrase */
export async function tryFile({ path, scratch, sha256, passphrase, signal }: TryOrder, trySite: TrySite): Promise<void> {
  if (sha256 !== undefined) {
    const found = await unlessMissing(hashFile(path, signal))
    if (found === undefined) throw new Failure('not_found', `There is no backup ${path}.`, { id: path })
    if (found !== sha256)
      throw new Failure('unprocessable', `The backup ${path} is not the file that was made: its SHA-256 differs.`)
  }
  await mkdir(scratch, { mode: 0o700 })
  // Uploads are hashed where they are: a site becomes ready without them.
  const leaveOut = (name: string) => name.startsWith('user-content/uploads/')
  const manifest = await unpack(path, scratch, { leaveOut, passphrase, signal })
  signal?.throwIfAborted()
  // A migration of a later release only adds: this one made the backup on a database that has it.
  await checkCopy(scratch, manifest, trySite, { later: 'any' })
}

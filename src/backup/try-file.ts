// Tests a backup: checks its hashes, restores it in a scratch folder, and opens the restored site until it can take a write.

import { mkdir } from 'node:fs/promises'
import { Failure } from '../base/failure.ts'
import { unlessMissing } from '../base/missing.ts'
import { checkCopy, type TrySite } from './check-copy.ts'
import { hashFile } from '../base/hash-file.ts'
import { unpack } from './unpack.ts'

export interface TryOrder {
  readonly path: string
  /** The path of the scratch folder, which must not exist yet. */
  readonly scratch: string
  /** The SHA-256 of the file when it was made, in hex; undefined if it is not known. */
  readonly sha256?: string | undefined
  /** The passphrase for a sealed backup. */
  readonly passphrase?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Tests a backup.
 * @throws Failure `not_found`; `unprocessable` for a damaged or unusable backup; `refused` for a backup that is newer than this
 * code, or whose passphrase is missing or wrong
 */
export async function tryFile({ path, scratch, sha256, passphrase, signal }: TryOrder, trySite: TrySite): Promise<void> {
  if (sha256 !== undefined) {
    const found = await unlessMissing(hashFile(path, signal))
    if (found === undefined) throw new Failure('not_found', `There is no backup ${path}.`, { id: path })
    if (found !== sha256)
      throw new Failure('unprocessable', `The backup ${path} is not the file that was made: its SHA-256 differs.`)
  }
  await mkdir(scratch, { mode: 0o700 })
  // Uploads are hashed, but not written to the scratch folder: a site becomes ready without them.
  const leaveOut = (name: string) => name.startsWith('user-content/uploads/')
  const manifest = await unpack(path, scratch, { leaveOut, passphrase, signal })
  signal?.throwIfAborted()
  // Migrations of a later release are allowed: after a downgrade, this release backs up a database that still has them.
  // Migrations only add.
  await checkCopy(scratch, manifest, trySite, { later: 'any' })
}

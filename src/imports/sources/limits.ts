// The limits of imported files. They hold before the first byte is used, so that a bomb costs nothing (attack 161).

import { statfs } from 'node:fs/promises'
import { Failure } from '../../base/failure.ts'

export const sourceLimits = {
  /** The most bytes of all files together, unpacked. */
  bytes: 64 * 1024 ** 3,
  /** The most files and folders of an archive or folder. */
  members: 1_000_000,
  /** The most bytes that a byte of an archive may become. */
  ratio: 100,
  /** Small archives may exceed the ratio: a file of one repeated letter is no attack. */
  freeOfRatio: 16 * 1024 ** 2,
}

/** @throws Failure `too_large` */
export function checkMembers(count: number): void {
  if (count > sourceLimits.members)
    throw new Failure('too_large', `The import has more than ${sourceLimits.members.toLocaleString('en')} files.`, {
      hint: 'Import it in parts.',
    })
}

/**
 * Checks the bytes that an import has, or has had so far.
 * @param packed the bytes of the archive; undefined for a folder
 * @throws Failure `too_large`
 */
export function checkUnpacked(bytes: number, packed?: number): void {
  if (bytes > sourceLimits.bytes)
    throw new Failure('too_large', 'The import has more than 64 GiB.', { hint: 'Import it in parts.' })
  if (packed !== undefined && bytes > sourceLimits.freeOfRatio && bytes > packed * sourceLimits.ratio)
    throw new Failure(
      'too_large',
      `The archive would become more than ${sourceLimits.ratio} times as large as it is, so it is not unpacked.`,
      { hint: 'Unpack it yourself if you trust it, and import the folder.' },
    )
}

/** Returns the most bytes that may be unpacked to a folder: half of what its disk has left. */
export async function unpackableBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder)
  return Math.floor((bavail * bsize) / 2)
}

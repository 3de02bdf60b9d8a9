// The files of a folder.

import { createReadStream } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SourceFiles } from '../source-files.ts'
import { checkMembers, checkUnpacked } from './limits.ts'
import { createMemberNames, isSilent } from './member-names.ts'

/** Lists a folder. Symbolic links and what is no file are left out (attack 162). @throws Failure `too_large` */
export async function openFolder(folder: string): Promise<SourceFiles> {
  const names = createMemberNames()
  const sizes = new Map<string, number>()
  let seen = 0
  let bytes = 0
  const walk = async (below: string): Promise<void> => {
    const members = await readdir(join(folder, below), { withFileTypes: true })
    members.sort((one, other) => (one.name < other.name ? -1 : 1))
    for (const member of members) {
      checkMembers(++seen)
      const path = below === '' ? member.name : `${below}/${member.name}`
      if (member.isDirectory()) {
        if (!isSilent(`${path}/`)) await walk(path)
        continue
      }
      if (!member.isFile()) {
        names.leaveOut(path, member.isSymbolicLink() ? 'a symbolic link' : 'no file')
        continue
      }
      const accepted = names.accept(path)
      if (accepted === undefined) continue
      const { size } = await lstat(join(folder, path))
      bytes += size
      checkUnpacked(bytes)
      sizes.set(accepted, size)
      if (accepted !== path) onDisk.set(accepted, path)
    }
  }
  /** Names on disk that are in another normal form than their paths. */
  const onDisk = new Map<string, string>()
  await walk('')
  return {
    name: basename(folder),
    sizes,
    leftOut: names.leftOut,
    open: (path) => createReadStream(join(folder, onDisk.get(path) ?? path), { highWaterMark: 256 * 1024 }),
    close: () => Promise.resolve(),
  }
}

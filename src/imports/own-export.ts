// An export of Postern itself as a format. It has no parts: calls make the site equal to it, so that nothing of it is lost.

import { markName } from '../base/export-mark.ts'
import type { ImportFormat } from './import-format.ts'
import type { SourceFiles } from './source-files.ts'

/** The folder of an export in an archive: empty, or one with a slash at the end; undefined for anything else. */
export function ownRootOf({ sizes }: Pick<SourceFiles, 'sizes'>): string | undefined {
  if (sizes.has(markName)) return ''
  // An archive that was unpacked and packed again often has the folder in it.
  const [only, ...others] = [...sizes.keys()].filter((path) => path.split('/').length === 2 && path.endsWith(`/${markName}`))
  return others.length === 0 ? only?.slice(0, -markName.length) : undefined
}

export const ownFormat: ImportFormat = {
  name: 'postern',
  isOwn: true,
  recognises: (files) => Promise.resolve(ownRootOf(files) !== undefined),
  read: () => {
    throw new Error('An export of Postern is taken back by calls.')
  },
}

// The valid paths of a package. A path must be valid on every system and must not leave the folder. No two paths may name the same
// file on a system that ignores case or Unicode form. These are pure rules; the readers of packages apply them.

import { cutText } from '../base/cut-text.ts'
import { packageLimits } from './package-limits.ts'

/** Names of devices on Windows, which also refuses them with any extension. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])$/i

/** The rules for a part between slashes, in the order in which they are checked. */
const partFaults: readonly (readonly [(part: string) => boolean, string])[] = [
  [(part) => part === '', 'has an empty part or begins or ends with a slash'],
  [(part) => part === '.' || part === '..', 'leaves its place with "." or ".."'],
  [(part) => /[. ]$/.test(part), 'has a part that ends in a dot or a space'],
  [(part) => device.test((part.split('.')[0] ?? '').trimEnd()), 'is the name of a device on Windows'],
  [(part) => Buffer.byteLength(part) > packageLimits.partBytes.most, 'has a part that is too long'],
]

const pathFaults: readonly (readonly [(path: string) => boolean, string])[] = [
  [(path) => !path.isWellFormed() || path.includes('\uFFFD'), 'is not UTF-8'],
  [(path) => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path), 'holds invisible or control characters'],
  [(path) => path.startsWith('/') || /^[a-z]:/i.test(path), 'is absolute'],
  [(path) => /[\\:*?"<>|]/.test(path), 'holds one of \\ : * ? " < > |, which not every system allows in names'],
  [(path) => Buffer.byteLength(path) > packageLimits.pathBytes.most, 'is too long'],
  [(path) => path.split('/').length > packageLimits.depth.most, 'lies too deep'],
]

/** Describes a path's fault, as the rest of a sentence that begins with the path; undefined for a valid path (attack 109). */
export function faultOfPath(path: string): string | undefined {
  const whole = pathFaults.find(([wrong]) => wrong(path))
  if (whole) return whole[1]
  const parts = path.split('/')
  return partFaults.find(([wrong]) => parts.some(wrong))?.[1]
}

/** A path in quotes for a message: cut to one line, with invisible characters escaped. */
export function showPath(path: string): string {
  const short = cutText(path, 120)
  return JSON.stringify(short).replace(/[^\P{C}]|[^\P{Z} ]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The paths of a package that were read so far. */
export interface PathList {
  /** Adds a path and the folders above it. @returns the fault of the path, or undefined */
  add(path: string, kind: 'file' | 'folder'): string | undefined
  /** The number of files and folders, including folders that the package doesn't list itself. */
  readonly size: number
}

/** Creates a list that finds duplicates: paths that are the same on a system which ignores case or Unicode form. */
export function createPathList(): PathList {
  const known = new Map<string, { readonly path: string; readonly kind: 'file' | 'folder'; listed: boolean }>()

  function place(path: string, kind: 'file' | 'folder', listed: boolean): string | undefined {
    const key = foldedPath(path)
    const same = known.get(key)
    if (!same) {
      known.set(key, { path, kind, listed })
      return undefined
    }
    if (same.path !== path) return `is ${showPath(same.path)} over again on systems that ignore case or Unicode form`
    if (same.kind !== kind) return 'is both a file and a folder'
    if (listed && same.listed) return 'is there twice'
    same.listed ||= listed
    return undefined
  }

  return {
    add(path, kind) {
      const fault = faultOfPath(path)
      if (fault !== undefined) return fault
      const parts = path.split('/')
      for (let length = 1; length < parts.length; length++) {
        const above = place(parts.slice(0, length).join('/'), 'folder', false)
        if (above !== undefined) return above
      }
      return place(path, kind, true)
    },
    get size() {
      return known.size
    },
  }
}

/**
 * The same text for all spellings of a path. Upper case comes first, so that `ß` equals `SS` and the two small sigmas are equal.
 */
function foldedPath(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

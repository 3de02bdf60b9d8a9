// Where a file may lie in a package. A path is good on every system or it is refused: none leaves the folder, and no two are one file
// where case or Unicode form don't count. Pure rules; who reads packages obeys them.

import { cutText } from '../cut-text.ts'
import { packageLimits } from './package-limits.ts'

/** Names of devices, with whatever ending, wherever Windows is or was. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])$/i

/** What is wrong with a part between slashes, in this order. */
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
  [(path) => /[\\:*?"<>|]/.test(path), 'holds one of \\ : * ? " < > |, which not every system takes in names'],
  [(path) => Buffer.byteLength(path) > packageLimits.pathBytes.most, 'is too long'],
  [(path) => path.split('/').length > packageLimits.depth.most, 'lies too deep'],
]

/** What is wrong with the path of a file or folder, to be read after its name; undefined when it is good (ATTACKS 109). */
export function faultOfPath(path: string): string | undefined {
  const whole = pathFaults.find(([wrong]) => wrong(path))
  if (whole) return whole[1]
  const parts = path.split('/')
  return partFaults.find(([wrong]) => parts.some(wrong))?.[1]
}

/** A path quoted for a sentence: on one line, with nothing in it that can't be seen, and never longer than a line. */
export function showPath(path: string): string {
  const short = cutText(path, 120)
  return JSON.stringify(short).replace(/[^\P{C}]|[^\P{Z} ]/gu, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The paths of a package so far. */
export interface PathList {
  /** Takes a path in with the folders above it; answers what is wrong with it, or undefined. */
  add(path: string, kind: 'file' | 'folder'): string | undefined
  /** Files and folders, also those that only stand above others. */
  readonly size: number
}

/** Starts a list that knows twins: paths that a system without case or Unicode forms takes for one. */
export function createPathList(): PathList {
  const known = new Map<string, { readonly path: string; readonly kind: 'file' | 'folder'; listed: boolean }>()

  function place(path: string, kind: 'file' | 'folder', listed: boolean): string | undefined {
    const key = foldedPath(path)
    const there = known.get(key)
    if (!there) {
      known.set(key, { path, kind, listed })
      return undefined
    }
    if (there.path !== path) return `is ${showPath(there.path)} over again where case or Unicode form don't count`
    if (there.kind !== kind) return 'is both a file and a folder'
    if (listed && there.listed) return 'is there twice'
    there.listed ||= listed
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

/** One text for all spellings. Upper case first: `ß` and `SS` meet in it, and so do the two small sigmas. */
function foldedPath(path: string): string {
  return path.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')
}

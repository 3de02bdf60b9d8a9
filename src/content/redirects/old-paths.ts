// The paths of other systems, such as WordPress and Ghost: reads an old address, and finds the original of a resized picture. Pure
// functions; `old-addresses.ts` stores the paths.

import { trimEndOf } from '../../base/trim-text.ts'
import { isServiceSlug } from '../entries/reserved-slugs.ts'

/** The longest path, in UTF-16 units and in bytes of UTF-8. PostgreSQL can't index a text of more than 2,704 bytes. */
const maxPath = { chars: 1000, bytes: 2000 }

/**
 * Reads an old address as visitors ask for it: a whole address or a path, percent-encoded or not. Host, fragment and the slash at
 * the end don't count.
 * @returns undefined for what no visitor can ask for, for the home page, and for an address with a query
 */
export function toOldPath(address: string): string | undefined {
  const local = address.trim().replace(/^https?:\/\/[^/?#]*/i, '')
  const [raw = ''] = local.split('#')
  const path = decoded(raw)
  if (path === undefined || raw.includes('?') || !path.startsWith('/')) return undefined
  const bare = `/${trimEndOf(path.slice(1), '/')}`
  const [top = ''] = bare.slice(1).split('/')
  // Paths below `/media/` without a file are asked for like any other.
  if (bare === '/' || (isServiceSlug(top) && top !== 'media')) return undefined
  return bare.length > maxPath.chars || Buffer.byteLength(bare) > maxPath.bytes ? undefined : bare
}

/** Decodes a path once, as the router does (`http/target.ts`). A stray percent sign stands for itself. */
function decoded(raw: string): string | undefined {
  if (/%2f|%5c/i.test(raw) || !raw.isWellFormed()) return undefined
  let path = raw
  try {
    path = decodeURIComponent(raw)
  } catch {
    if (/%[\da-f]{2}/i.test(raw)) return undefined
  }
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f-\u009f]|\/\/|\\|\/\.{1,2}(?:\/|$)/.test(path) ? undefined : path
}

const picture = /^(.+)\.(jpe?g|png|gif|webp|avif|bmp|svg)$/i

/**
 * Returns a path and those of its original, the likeliest first: WordPress adds `-300x200`, `-scaled`, `-rotated` or the time of an
 * edit to the name, and Ghost has `/size/w600/` in the path and `_o` at the end of the name.
 */
export function originalPaths(path: string): readonly string[] {
  const [, whole = '', ending = ''] = picture.exec(path) ?? []
  if (whole === '') return [path]
  const stem = whole.replace(/\/size\/[wh]\d{1,5}(?:h\d{1,5})?(?:\/format\/[a-z]{3,5})?(?=\/)/, '')
  const unsized = stem.replace(/-\d{1,5}x\d{1,5}$/, '')
  const plain = unsized.replace(/-(?:scaled|rotated|e\d{10,13})$/, '')
  const stems = [stem, unsized, plain, `${plain}-scaled`, `${plain}-rotated`, stem.replace(/_o$/, ''), `${stem}_o`]
  const ofDocument = plain.endsWith('-pdf') ? [`${plain.slice(0, -'-pdf'.length)}.pdf`] : []
  return [...new Set([path, ...stems.map((one) => `${one}.${ending}`), ...ofDocument])]
}

/** Returns a path as WordPress compares it: composed, and in lower case. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase()

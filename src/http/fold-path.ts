// Folds a path into one spelling, to compare it with the folders that must never be served, regardless of the spelling in a
// request.

import { trimEndOf } from '../base/trim-text.ts'

/**
 * Returns a raw path as the most lenient server would read it: decoded once, `\` and `%2F` as slashes, `//` as one, dot segments
 * resolved, in lower case, and each segment without `;` and the text after it, and without trailing dots, spaces and control
 * characters. Only refusals use this; answers depend on the path itself (attack 129). Takes linear time (attack 132).
 */
export function foldPath(rawPath: string): string {
  const decoded = decodeBytes(rawPath).toLowerCase().replace(/\\/g, '/')
  const kept: string[] = []
  for (const written of decoded.split('/')) {
    const segment = foldSegment(written)
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

function foldSegment(written: string): string {
  // eslint-disable-next-line no-control-regex
  const end = written.search(/[\x00;]/)
  const segment = trimEndOf(end < 0 ? written : written.slice(0, end), controlsAndSpace)
  return segment === '.' || segment === '..' ? segment : trimEndOf(segment, `.${controlsAndSpace}`)
}

/** U+0000 to U+0020. */
const controlsAndSpace = String.fromCharCode(...Array.from({ length: 0x21 }, (_, code) => code))

/** Percent-decodes without failing: bytes that are not UTF-8 and broken escapes become text that matches no folder. */
function decodeBytes(rawPath: string): string {
  return rawPath.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'))
}

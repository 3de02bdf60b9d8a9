// The one spelling under which a folder that must never be served is looked for, however it was asked.

import { trimEndOf } from '../trim-text.ts'

/**
 * A raw path folded as the most lenient server would read it: one percent-decoding, `\` and `%2F` as slashes, `//` as one, dot
 * segments resolved, lower case, and of each segment what follows `;` and trailing dots, spaces and control characters cut off.
 * For refusing only: what is served is decided on the path itself (attack 129). Takes linear time (attack 132).
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

/** Percent-decoding that lets nothing fail: what isn't UTF-8 or isn't an escape stays something that matches no folder. */
function decodeBytes(rawPath: string): string {
  return rawPath.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'))
}

// The one spelling under which a folder that must never be served is looked for, however it was asked.

/**
 * A raw path folded as the most lenient server would read it: one percent-decoding, `\` and `%2F` as slashes, `//` as one, dot
 * segments resolved, lower case, and of each segment what follows `;` and trailing dots, spaces and control characters cut off.
 * For refusing only: what is served is decided on the path itself (attack 129).
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
  const segment = written.replace(/[\x00;].*$/s, '')
  // eslint-disable-next-line no-control-regex
  return /^[.]{1,2}[\x00-\x20]*$/.test(segment) ? segment.trimEnd() : segment.replace(/[.\x00-\x20]+$/, '')
}

/** Percent-decoding that lets nothing fail: what isn't UTF-8 or isn't an escape stays something that matches no folder. */
function decodeBytes(rawPath: string): string {
  return rawPath.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'))
}

// Reads a request target. The path is decoded once, and the query is left unchanged. `//` never names a host.

import { HttpFailure } from './failure.ts'

export interface Target {
  /** The authority of an absolute-form target, else undefined. It is checked like `Host`. */
  readonly authority: string | undefined
  /** The path as sent. */
  readonly rawPath: string
  /** The path, decoded once. */
  readonly path: string
  /** The query without its question mark. */
  readonly query: string
  /**
   * True for an encoded slash, a backslash, an empty segment or a dot segment: only the check of protected folders may use such a
   * path.
   */
  readonly suspicious: boolean
}

const slash = 47
const dot = 46
const question = 63

/** Characters that need no decoding in a path. Dot and slash are checked separately. */
const plain = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/.test(String.fromCharCode(code)) ? 1 : 0,
)

/**
 * Reads a request target (RFC 9112 §3.2).
 * @throws HttpFailure `malformed`: bad percent-encoding, control characters, a fragment, a scheme that isn't http
 */
export function readTarget(target: string): Target {
  const end = plainPathEnd(target)
  if (end < 0) return readOddTarget(target)
  const path = end === target.length ? target : target.slice(0, end)
  return { authority: undefined, rawPath: path, path, query: target.slice(end + 1), suspicious: false }
}

/** Returns the end of the path of an ordinary target; -1 if the target needs the slow way. */
function plainPathEnd(target: string): number {
  if (target.charCodeAt(0) !== slash) return -1
  let before = 0
  for (let at = 0; at < target.length; at++) {
    const code = target.charCodeAt(at)
    if (code === question)
      return before === slash && at > 1 && target.charCodeAt(at - 2) === slash ? -1 : oddCharacter.test(target) ? -1 : at
    if (code >= 128 || plain[code] !== 1) return -1
    if (before === slash && (code === slash || (code === dot && dotSegment.test(target.slice(at, at + 3))))) return -1
    before = code
  }
  return target.length
}

const oddCharacter = /[^\x21\x22\x24-\x7e]/
const dotSegment = /^\.{1,2}(?:[/?]|$)/

function readOddTarget(target: string): Target {
  // eslint-disable-next-line no-control-regex
  if (oddCharacter.test(target))
    throw new HttpFailure('malformed', 'The request target holds a character that must be percent-encoded.')
  const absolute = /^https?:\/\/([^/?\\]*)(.*)$/is.exec(target)
  const local = absolute ? (absolute[2] ?? '') : target
  const [head = '', ...rest] = local.split('?')
  const rawPath = absolute && head === '' ? '/' : head
  if (!rawPath.startsWith('/')) throw new HttpFailure('malformed', 'The request target must be a path that begins with a slash.')
  const path = decodePath(rawPath)
  return { authority: absolute?.[1], rawPath, path, query: rest.join('?'), suspicious: isSuspicious(rawPath, path) }
}

function decodePath(rawPath: string): string {
  let path
  try {
    path = decodeURIComponent(rawPath)
  } catch (cause) {
    throw new HttpFailure(
      'malformed',
      'The path holds a percent sign without two digits, or bytes that are not UTF-8.',
      undefined,
      { cause },
    )
  }
  // eslint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f-\x9f]/.test(path)) throw new HttpFailure('malformed', 'The path holds a control character.')
  return path
}

const isSuspicious = (rawPath: string, path: string): boolean =>
  /%2f|%5c/i.test(rawPath) || /\/\/|\\/.test(path) || /\/\.{1,2}(?:\/|$)/.test(path)

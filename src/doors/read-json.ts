// The JSON body of a call: within the size that its caller may send, decoded as the release does, to a depth.

import type { Services } from '../actions/services.ts'
import { Failure } from '../failure.ts'
import { decodeUtf8, parseJsonText } from '../http/body.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Request } from '../http/request.ts'

/** What came. `silence` is what old releases answer to a byte that is not UTF-8: 200, and nothing. */
export type ReadJson =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'silence' }
  | { readonly kind: 'failure'; readonly failure: Failure }

/** What reading a body needs of the site and of the request. */
type Reading = Pick<Services, 'config' | 'release'>

/**
 * Reads a request's body as JSON, whatever type it says it has.
 * @param hasToken whether the caller showed a usable token: others may send less
 * @throws HttpFailure `timeout`, `client_left`
 */
export async function readJson(site: Reading, request: Pick<Request, 'readBody'>, hasToken: boolean): Promise<ReadJson> {
  const { config } = site
  const maxBytes = hasToken ? config.POSTERN_MAX_JSON_BYTES : config.POSTERN_MAX_ANONYMOUS_JSON_BYTES
  try {
    return parseJson(site, await request.readBody(maxBytes))
  } catch (error) {
    if (!(error instanceof HttpFailure) || error.code !== 'too_large') throw error
    return failed(new Failure('too_large', error.message, { limit: maxBytes }, { cause: error }))
  }
}

/** Members of objects and items of lists together: far more than any action takes. */
const maxValues = 50_000

function parseJson({ config, release }: Reading, bytes: Uint8Array): ReadJson {
  if (bytes.length === 0) return { kind: 'empty' }
  const decoded = decodeUtf8(bytes, release.badUtf8Request === 'replace' ? 'replace' : 'strict')
  if ('badByteAt' in decoded) {
    return release.badUtf8Request === 'empty' ? { kind: 'silence' } : failed(badByte(bytes, decoded.badByteAt))
  }
  const parsed = parseJsonText(decoded.text, config.POSTERN_MAX_JSON_DEPTH, maxValues)
  return 'value' in parsed
    ? { kind: 'value', value: parsed.value }
    : failed(new Failure('malformed', parsed.problem, { position: parsed.position }))
}

const failed = (failure: Failure): ReadJson => ({ kind: 'failure', failure })

function badByte(bytes: Uint8Array, at: number): Failure {
  const value = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  return new Failure('malformed', `The byte 0x${value} at offset ${at} is not UTF-8.`, {
    position: at,
    expected: 'JSON in UTF-8',
  })
}

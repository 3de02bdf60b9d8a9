// The JSON body of a request: within the size that its caller may send, in UTF-8, and within a depth.

import type { Services } from '../../actions/call/services.ts'
import { Failure } from '../../base/failure.ts'
import { parseJsonText } from '../../http/body.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Request } from '../../http/request.ts'
import { decodeBody } from './profiles/bad-utf8.ts'

/** A request body. `unanswered` occurs in old release profiles only: see `decodeBody`. */
export type JsonBody =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | { readonly kind: 'unanswered' }

type Site = Pick<Services, 'config' | 'release'>

/**
 * Reads a request body as JSON, regardless of its content type.
 * @param hasToken true if the caller has a usable token: without one, the limit is lower
 * @throws HttpFailure `timeout`, `client_left`
 */
export function readJson(site: Site, request: Pick<Request, 'readBody'>, hasToken: boolean): Promise<JsonBody> {
  const { config } = site
  const maxBytes = hasToken ? config.POSTERN_MAX_JSON_BYTES : config.POSTERN_MAX_ANONYMOUS_JSON_BYTES
  return request.readBody(maxBytes).then(
    (bytes) => parseJson(site, bytes),
    (error: unknown) => {
      if (!(error instanceof HttpFailure) || error.code !== 'too_large') throw error
      return failed(new Failure('too_large', error.message, { limit: maxBytes }, { cause: error }))
    },
  )
}

/** The largest total number of members of objects and items of lists. Every action needs far fewer. */
const maxValues = 50_000

function parseJson({ config, release }: Site, bytes: Uint8Array): JsonBody {
  if (bytes.length === 0) return { kind: 'empty' }
  const decoded = decodeBody(release, bytes)
  if (decoded === 'unanswered') return { kind: 'unanswered' }
  if ('badByteAt' in decoded) return failed(badByte(bytes, decoded.badByteAt))
  const parsed = parseJsonText(decoded.text, config.POSTERN_MAX_JSON_DEPTH, maxValues)
  return 'value' in parsed
    ? { kind: 'value', value: parsed.value }
    : failed(new Failure('malformed', parsed.problem, { position: parsed.position }))
}

const failed = (failure: Failure): JsonBody => ({ kind: 'failure', failure })

function badByte(bytes: Uint8Array, at: number): Failure {
  const value = (bytes[at] ?? 0).toString(16).toUpperCase().padStart(2, '0')
  return new Failure('malformed', `The byte 0x${value} at offset ${at} is not UTF-8.`, {
    position: at,
    expected: 'JSON in UTF-8',
  })
}

// Reads a form that a client posts. It must have the content type of the protocol, and each parameter once. Parameters in the
// query don't count.

import { decodeUtf8 } from '../../http/body.ts'
import type { Request } from '../../http/request.ts'
import { Refusal } from './refusal.ts'

/** Parameters by name. A parameter without a value counts as absent (RFC 6749 §3.1). */
export interface Parameters {
  find(name: string): string | undefined
  /** All values of a parameter that may come several times. */
  all(name: string): readonly string[]
}

const maxFormBytes = 16 * 1024
const formType = /^application\/x-www-form-urlencoded\s*(?:;|$)/i

/** Parameters that may come more than once (RFC 8707 §2). */
const repeatable = new Set(['resource'])

/** Reads the form of a request. @throws HttpFailure `too_large`, `timeout`, `client_left` */
export async function readForm(request: Pick<Request, 'header' | 'query' | 'readBody'>): Promise<Parameters | Refusal> {
  const bytes = await request.readBody(maxFormBytes)
  if (request.query.size > 0) return new Refusal('invalid_request', 'Parameters must be in the body, not in the address.')
  if (!formType.test(request.header('content-type')?.trim() ?? '')) {
    return new Refusal('invalid_request', 'The body must be of the type application/x-www-form-urlencoded.')
  }
  const decoded = decodeUtf8(bytes, 'strict')
  if ('badByteAt' in decoded) return new Refusal('invalid_request', 'The body must be UTF-8.')
  return parseParameters(new URLSearchParams(decoded.text))
}

/** Parses the parameters of a form or a query. Returns a refusal if one came twice. */
export function parseParameters(given: URLSearchParams): Parameters | Refusal {
  const doubled = findDoubled(given)
  if (doubled !== undefined) return new Refusal('invalid_request', `The parameter ${doubled.slice(0, 40)} came more than once.`)
  return {
    find: (name) => given.get(name) || undefined,
    all: (name) => given.getAll(name).filter((value) => value !== ''),
  }
}

/** The first parameter that came too often. */
function findDoubled(given: URLSearchParams): string | undefined {
  const seen = new Set<string>()
  for (const name of given.keys()) {
    if (seen.has(name) && !repeatable.has(name)) return name
    seen.add(name)
  }
  return undefined
}

// Tests the body of a request: its presence, and a content type of JSON.

import type { Request } from '../http/request.ts'

/** True if a content type is JSON, whatever its parameters. */
export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(?:;|$)/i.test(type.trim())
}

/** True if a request has a body, by its headers alone. */
export function bringsBody(request: Request): boolean {
  return request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
}

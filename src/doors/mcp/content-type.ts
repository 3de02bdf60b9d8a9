// Tests a request body: its presence, and a content type of JSON.

import type { Request } from '../../http/request.ts'

/** True if a content type is JSON, regardless of its parameters. */
export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(?:;|$)/i.test(type.trim())
}

/** True if the headers announce a request body. */
export function bringsBody(request: Request): boolean {
  return request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
}

// Whether a request has a body, and whether its content type is JSON.

import type { Request } from '../http/request.ts'

/** Whether a content type is JSON, whatever its parameters. */
export function isJsonType(type: string | undefined): boolean {
  return type !== undefined && /^application\/json\s*(?:;|$)/i.test(type.trim())
}

/** Whether a request has a body, by its headers alone. */
export function bringsBody(request: Request): boolean {
  return request.header('transfer-encoding') !== undefined || Number(request.header('content-length') ?? 0) > 0
}

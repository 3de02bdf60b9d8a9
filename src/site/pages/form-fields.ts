// The fields of a form or message that came as text.

import { decodeUtf8 } from '../../http/body.ts'
import type { Request } from '../../http/request.ts'

/** @throws HttpFailure `too_large` and others, as reading a body does */
export async function readFormFields(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const body = decodeUtf8(await request.readBody(maxBytes), 'replace')
  return new URLSearchParams('text' in body ? body.text : '')
}

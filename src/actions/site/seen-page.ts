// A page or file as a caller sees it who can't open it.

import type { Looked } from '../../eyes/types.ts'
import { bodyBytes } from '../../http/body-bytes.ts'
import type { Reply } from '../../http/reply.ts'

export interface SeenPage extends Looked {
  /** The address to which a redirect leads. */
  readonly location: string | undefined
}

/** The most bytes of a file that is looked at. */
const maxBytes = 16 * 1024 ** 2

export async function seenIn({ status, headers, body }: Reply): Promise<SeenPage> {
  const header = (name: string) => headers[name]?.toString()
  return {
    status,
    contentType: header('content-type') ?? '',
    policy: header('content-security-policy') ?? '',
    location: header('location'),
    body: await bodyBytes(body, maxBytes),
  }
}

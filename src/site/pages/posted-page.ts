// The page that answers a form: the page with the form, and what came of it. It is never kept.

import type { Services } from '../../actions/call/services.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { PageKey } from '../kept/page-cache.ts'
import { type Frame, frameOf } from './frame.ts'
import { makePage } from './make-page.ts'

/** @param outcome what the page shows of the form */
export async function postedPage(
  site: Services,
  request: Request,
  outcome: Pick<Frame, 'form' | 'signUp'>,
  status: number,
  more: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const frame = { ...frameOf(site, request), ...outcome }
  const key: PageKey = { origin: frame.origin, form: 'html', path: request.path, page: 1 }
  const reply = await makePage(frame, undefined, key, request)
  if (reply.status !== 200) return reply
  const { etag: _etag, ...headers } = reply.headers
  return { ...reply, status, headers: { ...headers, 'cache-control': 'no-store', 'x-robots-tag': 'noindex', ...more } }
}

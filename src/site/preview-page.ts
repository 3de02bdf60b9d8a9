// Serves signed previews (`SVC_Content.preview`): the page of an entry that is not public. Nothing may keep such a page or list it, and its address
// leaks to no other site. A link that is forged, expired or made for another address is no page.

import type { Services } from '../actions/services.ts'
import { findPreviewed, previewPath, readPreview } from '../content/previews.ts'
import { HttpFailure } from '../http/failure.ts'
import type { Reply } from '../http/reply.ts'
import type { Request } from '../http/request.ts'
import type { Route } from '../http/route.ts'
import { findClosed } from './closed-page.ts'
import { frameOf } from './frame.ts'
import { previewReply } from './public-page.ts'

/** The route of signed previews. */
export function previewRoute(site: Services): Route {
  return {
    path: `${previewPath}:token`,
    slash: 'exact',
    letterCase: 'exact',
    methods: { GET: async (request, { token = '' }) => findClosed(site, request) ?? (await serve(site, request, token)) },
    door: 'site',
  }
}

async function serve(site: Services, request: Request, token: string): Promise<Reply> {
  const frame = frameOf(site, request)
  const link = readPreview(site.key, frame.origin, token, site.clock.now())
  const entry = link && (await findPreviewed(site.store.read, link))
  if (!entry) throw new HttpFailure('not_found', 'There is no page here.')
  return previewReply(frame, entry)
}

// Serves preview links (`SVC_Content.preview`): the page of an entry that is not public. The page is not cached or indexed, and its
// address is not sent to other sites. A forged, expired, ended or foreign link answers 404.

import type { Services } from '../../actions/call/services.ts'
import { findPreviewed, previewPath } from '../../content/entries/previews.ts'
import { linkRequestOf } from '../../doors/shared/link-request.ts'
import { HttpFailure } from '../../http/failure.ts'
import type { Reply } from '../../http/reply.ts'
import type { Request } from '../../http/request.ts'
import type { Route } from '../../http/route.ts'
import { findPreview } from '../../identity/preview-store.ts'
import { openLink } from '../../identity/signed-link.ts'
import { findClosed } from './closed-page.ts'
import { frameOf } from './frame.ts'
import { inTurn } from './link-turns.ts'
import { withOlderNotice } from './older-notice.ts'
import { previewReply } from './public-page.ts'

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
  const { key, store } = site
  const link = await openLink({ key, db: store.read }, 'preview', token, linkRequestOf(site, request))
  const preview = link && !link.isOver ? await findPreview(store.read, link.id) : undefined
  const shown = preview && (await findPreviewed(store.read, preview))
  if (!link || !shown) throw new HttpFailure('not_found', 'There is no page here.')
  const reply = await inTurn(link.id, () => previewReply(frameOf(site, request), shown.row))
  return shown.isOlder ? withOlderNotice(reply, site, shown.row.path ?? '/') : reply
}

// The documents of Postern, for people who need help. They are in English.

import { docs } from '../../actions/docs/index.ts'
import { html, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { framedReply } from '../framed-reply.ts'
import { get } from '../page.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** GET: the list, or the document that `doc` names. */
export async function showDocument(visit: SignedIn): Promise<Reply> {
  const doc = visit.request.query.get('doc')
  return doc === null ? listReply(visit) : documentReply(visit, doc.slice(0, 100))
}

export const documentPath = ({ request }: Pick<SignedIn, 'request'>, doc: string): string =>
  `${linkTo(request, adminPaths.documents)}?doc=${encodeURIComponent(doc)}`

async function documentReply(visit: SignedIn, doc: string): Promise<Reply> {
  const { t, site, request } = visit
  const { title, text } = await get(visit, docs.get, { doc })
  const { html: markup } = await site.renderer.render(text.replace(/^# .*\n/, ''))
  const body = html`${pageHead(html`<span lang="en">${title}</span>`)}
    <article class="document" lang="en">${raw(markup)}</article>
    <p><a href="${linkTo(request, adminPaths.documents)}">${t('connections.all_documents')}</a></p>`
  return framedReply(visit, { title, body })
}

async function listReply(visit: SignedIn): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, docs.list, {})
  const title = t('connections.documents')
  const body = html`${pageHead(title, t('connections.documents_lead'))}
    <ul class="links" lang="en">
      ${items.map(({ doc, title: name }) => html`<li><a href="${documentPath(visit, doc)}">${name}</a></li>`)}
    </ul>`
  return framedReply(visit, { title, body })
}

// Preview links: the page that each one shows, who created it, when it expires, and the button that revokes it.

import { content } from '../../actions/content/index.ts'
import { type PreviewItem } from '../../actions/content/previews.ts'
import { html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { get } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, postForm } from '../parts/post-form.ts'
import { emptyState, pageHead, table } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { onItem } from '../parts/form-input.ts'

export const showPreviews = (visit: SignedIn): Promise<Reply> => previewsReply(visit)

async function previewsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const address = listAddress(visit.request, adminPaths.previews)
  const { items, next_cursor: next } = await get(visit, content.previews, { limit: 50, ...address.pick('cursor') })
  const body = html`${pageHead(t('shell.previews'), t('content.previews_lead'))}
  ${
    items.length === 0
      ? emptyState(t('content.previews_none'), t('content.previews_none_next'))
      : table<PreviewItem>(t, {
          caption: t('shell.previews'),
          rows: items,
          query: address,
          columns: [
            { label: t('content.preview_of'), cell: (item) => whatOf(visit, item) },
            { label: t('content.preview_shows'), cell: (item) => shownOf(visit, item), wideOnly: true },
            {
              label: t('content.preview_by'),
              cell: ({ by, token }) => (token === null ? by : `${by}, ${token}`),
              wideOnly: true,
            },
            { label: t('content.preview_ends'), cell: (item) => endsOf(visit, item), end: true },
            { label: t('content.preview_do'), cell: (item) => endForm(visit, item), end: true },
          ],
        })
  }
  ${pagerOf(address.with({}), next, t)}`
  return framedReply(visit, { title: t('shell.previews'), body }, refused)
}

function whatOf({ t, request }: SignedIn, { title, entry, theme }: PreviewItem): HtmlValue {
  const name = title === null || title === '' ? t('content.without_title') : title
  if (theme !== null) return t('content.preview_in_theme', { name })
  return entry === null ? name : html`<a href="${linkTo(request, adminPaths.editEntry)}?id=${entry}">${name}</a>`
}

function shownOf({ t }: SignedIn, { follow, revision }: PreviewItem): HtmlValue {
  if (follow) return t('content.preview_newest')
  return revision === null ? '' : t('content.preview_revision', { revision })
}

const endsOf = (visit: SignedIn, { works, expires_at: at }: PreviewItem): HtmlValue =>
  works ? shownTime(visit, at) : html`<span class="quiet">${visit.t('content.preview_stopped')}</span>`

const endForm = (visit: SignedIn, { id, title }: PreviewItem): HtmlValue =>
  postForm(visit, {
    path: adminPaths.previews,
    purpose: 'previews',
    hidden: { do: 'end', id },
    body: html`<button>${visit.t('content.preview_end')}<span class="unseen"> ${title}</span></button>`,
  })

const end = onItem(content.endPreview, (visit) => goDone(visit, adminPaths.previews, content.endPreview))

export const takePreviewsForm = formTaker('previews', { end }, previewsReply)

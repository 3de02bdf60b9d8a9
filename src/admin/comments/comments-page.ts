// Comments: the list by status, search, and moderation of several at once.

import { commentActions } from '../../actions/comments/index.ts'
import type { CommentItem } from '../../actions/comments/comment-item.ts'
import { settings } from '../../actions/settings/index.ts'
import type { CommentState } from '../../content/comments/comment-rules.ts'
import { countPending } from '../../content/comments/comment-store.ts'
import { Failure } from '../../base/failure.ts'
import { cutText } from '../../base/cut-text.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { settingPath } from '../operations/settings-page.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { faultBox } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, type Work } from '../parts/post-form.ts'
import { emptyState, firstBox, pageHead, searchField, selectionBar, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { isStatus, statusButtons, statusTabs } from './comment-words.ts'

const form = 'selected'
const maxShownText = 400

const statusOf = (address: ListAddress): CommentState => {
  const asked = address.get('status') ?? ''
  return isStatus(asked) ? asked : 'pending'
}

/** GET; `status` chooses a tab. */
export const showComments = (visit: SignedIn): Promise<Reply> => commentsReply(visit)

async function commentsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t, request, site } = visit
  const { failure } = refused
  const address = listAddress(request, adminPaths.comments)
  const status = statusOf(address)
  const path = linkTo(request, adminPaths.comments)
  const waiting = await countPending(site.store.read)
  const links = (Object.keys(statusTabs) as CommentState[]).map((one) => ({
    label: one === 'pending' && waiting > 0 ? `${t(statusTabs[one].label)} (${waiting})` : t(statusTabs[one].label),
    href: path + (one === 'pending' ? '' : `?status=${one}`),
    current: one === status,
  }))
  const kept = { status: status === 'pending' ? undefined : status }
  const body = html`${pageHead(t('shell.comments'), t('comments.lead'))} ${offNotice(visit)}
  ${failure?.detail.field === 'ids' && faultBox(sentenceOf(failure, t), { id: firstBox, label: t('parts.table_select') })}
  ${tabs(t('shell.comments'), links)} ${searchField(t, path, address.get('search'), t('comments.search'), kept)}
  ${await commentTable(visit, address, status)}`
  return framedReply(visit, { title: t('shell.comments'), body }, refused)
}

/** Says that comments are off, and where they are turned on. */
function offNotice(visit: SignedIn): HtmlValue {
  const { t, request, site } = visit
  if (site.settings.values.comments.length > 0) return undefined
  const link = html`<a href="${linkTo(request, settingPath('comments'))}">${t('operations.comments')}</a>`
  return html`<p class="notice">${mayRun(visit, settings.update) ? t.rich('comments.off', { link }) : t('comments.off_ask')}</p>`
}

async function commentTable(visit: SignedIn, address: ListAddress, status: CommentState): Promise<Html> {
  const { t, request } = visit
  const { search, cursor } = address.pick('search', 'cursor')
  const asked = { where: { status }, limit: 50, ...(search && { search }), ...(cursor && { cursor }) }
  const { items, next_cursor: next } = await get(visit, commentActions.list, asked)
  if (items.length === 0) return emptyState(t(statusTabs[status].empty), t('comments.empty_help'))
  return html`${table<CommentItem>(t, {
    caption: t(statusTabs[status].label),
    query: address,
    sort: '-created_at',
    rows: items,
    select: { form, id: ({ id }) => id, name: ({ name }) => name },
    columns: [
      {
        label: t('comments.comment'),
        cell: ({ id, name, body }) =>
          html`<a href="${linkTo(request, adminPaths.comment)}?id=${id}">${name}</a>
            <p class="comment-text">${cutText(body, maxShownText)}</p>`,
      },
      { label: t('comments.on'), cell: (item) => entryLink(visit, item) },
      { label: t('comments.sent'), cell: ({ created_at: at }) => shownTime(visit, at), end: true, wideOnly: true },
    ],
  })}
  ${selectionBar(
    form,
    address.with({}),
    html`${csrfField(visit, adminPaths.comments)}<strong>${t('comments.selected')}</strong> ${statusButtons(t, status)}
      ${
        (status === 'spam' || status === 'trash') &&
        mayRun(visit, commentActions.purge) &&
        html`<button class="danger" name="do" value="purge">${t('comments.purge')}</button>`
      }`,
  )}
  ${pagerOf(address.with({}), next, t)}`
}

/** A link to the page with the comment, for one that visitors see, else to the entry in the admin. */
export const entryLink = (
  { request }: SignedIn,
  { id, entry, entry_title: title, entry_path: path, status }: CommentItem,
): Html =>
  path !== null && status === 'approved'
    ? html`<a href="${linkTo(request, path)}#c-${id}">${title}</a>`
    : html`<a href="${linkTo(request, adminPaths.editEntry)}?id=${entry}">${title}</a>`

const here = ({ request }: SignedIn): string => {
  const status = request.query.get('status') ?? ''
  return adminPaths.comments + (isStatus(status) ? `?status=${status}` : '')
}

const selected = (visit: SignedIn, ids: readonly string[]): Failure | undefined =>
  ids.length > 0 ? undefined : new Failure('invalid', visit.t('comments.select'), { field: 'ids' })

const moderateTo =
  (status: CommentState): Work =>
  async (visit, fields) => {
    const ids = fields.all('ids')
    const { failure } =
      ids.length > 0 ? await run(visit, commentActions.moderate, { ids, status }) : { failure: selected(visit, ids) }
    return failure ?? goDone(visit, here(visit), commentActions.moderate)
  }

const purge: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  const { failure } =
    ids.length > 0 ? await run(visit, commentActions.purge, { ids, expect: ids.length }) : { failure: selected(visit, ids) }
  return failure ?? goDone(visit, here(visit), commentActions.purge)
}

const works = {
  approved: moderateTo('approved'),
  pending: moderateTo('pending'),
  spam: moderateTo('spam'),
  trash: moderateTo('trash'),
  purge,
}

export const takeCommentsForm = formTaker(adminPaths.comments, works, commentsReply)

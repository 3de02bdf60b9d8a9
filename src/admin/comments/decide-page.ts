// A comment that an admin moderates by a link in a mail. The link opens a page, and only its form changes something, because mail
// programs open links by themselves. It works for this comment alone, for seven days, and as long as the account may moderate.

import { commentActions } from '../../actions/comments/index.ts'
import { commentLinkKind, decidePath } from '../../actions/comments/mailed-link.ts'
import { findComment } from '../../content/comments/comment-store.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import { baseOf } from '../../doors/shared/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import type { Caller } from '../../identity/caller.ts'
import { openLink } from '../../identity/signed-link.ts'
import type { CommentRow } from '../../store/core/schema.ts'
import { readFields } from '../form.ts'
import { framedReply } from '../framed-reply.ts'
import { get } from '../page.ts'
import { doneBox } from '../parts/fields.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { Visit } from '../visit.ts'
import { isStatus, statusTabs } from './comment-words.ts'

/** The comment of a link, and the person whom the link was sent to. */
interface Mailed {
  readonly comment: CommentRow
  readonly caller: Caller
}

/** GET; `link` is the token of the link. */
export async function showDecide(visit: Visit): Promise<Reply> {
  const link = visit.request.query.get('link') ?? ''
  const mailed = await openMailed(visit, link)
  return mailed ? decideReply(visit, link, mailed) : voidReply(visit)
}

/** POST: moderates the comment as the person of the link. */
export async function takeDecide(visit: Visit): Promise<Reply> {
  const fields = await readFields(visit, decidePath)
  const [link, status] = [fields.get('link'), fields.get('do')]
  const mailed = await openMailed(visit, link)
  if (!mailed) return voidReply(visit)
  const { id } = mailed.comment
  if (isStatus(status)) await get({ ...visit, caller: mailed.caller }, commentActions.moderate, { ids: [id], status })
  const after = await openMailed(visit, link)
  return after ? decideReply(visit, link, after, true) : voidReply(visit)
}

async function openMailed({ site, request, now }: Visit, link: string): Promise<Mailed | undefined> {
  const { read } = site.store
  const asked = { origin: baseOf(request), address: request.client, now }
  const opened = await openLink({ key: site.key, db: read }, commentLinkKind, link, asked)
  if (!opened || opened.isOver || opened.account === undefined) return undefined
  const account = await read.selectFrom('account').selectAll().where('id', '=', opened.account).executeTakeFirst()
  const comment = await findComment(read, opened.id)
  return account && comment && { comment, caller: callerOfAccount(account, 'admin', request.client) }
}

function decideReply(visit: Visit, link: string, { comment }: Mailed, isDone = false): Reply {
  const { t } = visit
  const button = (status: 'approved' | 'trash', label: Html | string) =>
    html`<button class="${status === 'approved' ? 'primary' : 'danger'}" name="do" value="${status}">${label}</button> `
  const state = t(statusTabs[isStatus(comment.state) ? comment.state : 'pending'].label)
  const body = html`<section class="card">
    <h1>${t('comments.of', { name: comment.name })}</h1>
    ${isDone && doneBox(t('comments.done_decided', { state }))}
    <p class="comment-text">${comment.body}</p>
    ${!isDone && html`<p class="quiet">${state}</p>`}
    ${postForm(visit, {
      path: decidePath,
      hidden: { link },
      className: 'actions',
      body: html`${comment.state !== 'approved' && button('approved', t('comments.approve'))}
      ${comment.state !== 'trash' && button('trash', t('comments.to_trash'))}`,
    })}
    <p><a href="${linkTo(visit.request, adminPaths.comments)}">${t('comments.all')}</a></p>
  </section>`
  return framedReply(visit, { title: t('comments.of', { name: comment.name }), kind: 'narrow', body }, {})
}

function voidReply(visit: Visit): Reply {
  const { t, request } = visit
  const body = html`<section class="card">
    <h1>${t('comments.void_link')}</h1>
    <p>${t('comments.void_link_next')}</p>
    <p><a href="${linkTo(request, adminPaths.comments)}">${t('shell.comments')}</a></p>
  </section>`
  return framedReply(visit, { title: t('comments.void_link'), kind: 'narrow', body }, { status: 403 })
}

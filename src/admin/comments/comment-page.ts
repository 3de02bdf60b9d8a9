// One comment: its text, who wrote it, the buttons that moderate it, and the forms that change it and answer it.

import { commentActions } from '../../actions/comments/index.ts'
import type { CommentItem } from '../../actions/comments/comment-item.ts'
import { type CommentState, takesComments } from '../../content/comments/comment-rules.ts'
import { noComment } from '../../content/comments/comment-store.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField } from '../parts/fields.ts'
import { taking } from '../parts/form-input.ts'
import { factList } from '../parts/facts.ts'
import { panel } from '../parts/panel.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { statusButtons, statusTabs } from './comment-words.ts'
import { entryLink } from './comments-page.ts'

const changeForm = declareForm(
  commentActions.update,
  { path: adminPaths.comment, does: 'change', button: 'comments.save', aside: true },
  [{ name: 'body', control: 'area', label: 'comments.text', rows: 6, required: true }],
)

/** The form for an answer. It has the field of the other form, by another id. */
const answerForm = (visit: SignedIn, id: string, { fields }: Refused): Html => {
  const { t } = visit
  const value = fields?.get('do') === 'answer' ? fields.get('body') : ''
  const about = { name: 'body', id: 'answer-body', label: t('comments.answer'), help: t('comments.answer_help') }
  return postForm(visit, {
    path: adminPaths.comment,
    hidden: { id, do: 'answer' },
    body: html`${areaField({ ...about, value, rows: 4, required: true })}
      <p class="actions"><button>${t('comments.send_answer')}</button></p>`,
  })
}

/** GET; `id` names the comment. */
export const showComment = (visit: SignedIn): Promise<Reply> => commentReply(visit)

async function commentReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t, request, site } = visit
  const item = await readComment(visit, refused.fields)
  const title = t('comments.of', { name: item.name })
  const entry = await site.entries.byId(item.entry)
  const answers = item.status === 'approved' && entry !== undefined && takesComments(site.settings.values, entry)
  const body = html`${pageHead(title, html`${t(statusTabs[item.status].label)}, ${entryLink(visit, item)}`)}
    <p><a href="${linkTo(request, adminPaths.comments)}?status=${item.status}">${t('comments.all')}</a></p>
    <div class="card"><p class="comment-text">${item.body}</p></div>
    ${factsOf(visit, item)}
    ${postForm(visit, {
      path: adminPaths.comment,
      hidden: { id: item.id },
      className: 'actions comment-actions',
      body: statusButtons(t, item.status),
    })}
    ${answers && panel('answer', t('comments.answer_title'), answerForm(visit, item.id, refused))}
    <details class="panel">
      <summary>${t('comments.change')}</summary>
      ${declaredForm(visit, changeForm, { item, refused, hidden: { id: item.id, revision: item.revision } })}
    </details>`
  return framedReply(visit, { title, body }, refused)
}

/** @throws Failure `not_found` */
async function readComment(visit: SignedIn, fields: Fields | undefined): Promise<CommentItem> {
  const id = fields?.get('id') ?? visit.request.query.get('id')?.slice(0, 40) ?? ''
  const { items } = await get(visit, commentActions.list, { where: { id }, limit: 1 })
  const [item] = items
  if (item && mayRun(visit, commentActions.moderate)) return item
  throw noComment(id)
}

const factsOf = (visit: SignedIn, item: CommentItem): Html =>
  factList({
    [visit.t('comments.email')]: item.email,
    [visit.t('comments.website')]: item.website,
    [visit.t('comments.sent')]: shownTime(visit, item.created_at),
  })

const moderateTo =
  (status: CommentState): Work =>
  async (visit, fields) => {
    const { failure } = await run(visit, commentActions.moderate, { ids: [fields.get('id')], status })
    return failure ?? goDone(visit, adminPaths.comments, commentActions.moderate)
  }

const backTo = (fields: Fields): string => `${adminPaths.comment}?id=${encodeURIComponent(fields.get('id'))}`

const change = taking(changeForm, (visit, _data, fields) => goDone(visit, backTo(fields), commentActions.update))

const answer: Work = async (visit, fields) => {
  const { entry } = await readComment(visit, fields)
  const input = { entry, reply_to: fields.get('id'), body: fields.get('body') }
  const { failure } = await run(visit, commentActions.create, input)
  return failure ?? goDone(visit, backTo(fields), commentActions.create)
}

const works = {
  approved: moderateTo('approved'),
  pending: moderateTo('pending'),
  spam: moderateTo('spam'),
  trash: moderateTo('trash'),
  change,
  answer,
}

export const takeCommentForm = formTaker(adminPaths.comment, works, commentReply)

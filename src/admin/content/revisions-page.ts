// The revisions of an entry: their authors and times, any two side by side, and the form that restores one. The waiting changes are
// shown next to the public version.

import { content } from '../../actions/content/index.ts'
import type { AnswerOf } from '../../actions/call/call-action.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { csrfField, numberIn } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { comparedViews } from '../parts/compared-views.ts'
import { changesOf, difference } from '../parts/difference.ts'
import { fieldName } from '../parts/field-names.ts'
import { namedIds } from '../parts/named-ids.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { withCode } from '../parts/with-code.ts'
import { shownTime } from '../parts/time.ts'
import { formTaker, sinceShown, type Work } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { about, doneWord } from '../action-words.ts'
import { acceptedWords, doorWord, makerWord } from '../activity/record-parts.ts'
import { type EditedEntry, isLive } from './edited-entry.ts'
import { entryPurpose } from './entry-form.ts'
import { readEntry } from './read-entry.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

type Revision = AnswerOf<typeof content.revisions.output>['items'][number]

type Side = number | 'live' | 'staged'

/** GET; `id` names the entry, `from` and `to` the sides of the comparison. */
export const showRevisions = (visit: SignedIn): Promise<Reply> => revisionsReply(visit, idIn(visit))

async function revisionsReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { request, t } = visit
  const item = await readEntry(visit, id)
  const address = listAddress(request, adminPaths.entryRevisions)
  const { items, next_cursor: next } = await get(visit, content.revisions, { id, ...address.pick('cursor') })
  const [from, to] = [sideOf(address.get('from')), sideOf(address.get('to'))]
  const back = linkButton(visit, `${adminPaths.editEntry}?id=${id}`, 'content.back_to_editor')
  const title = t('content.revisions_title', { title: item.title })
  const body = html`${pageHead(title, t('content.revisions_lead'), back)}
  ${from !== undefined && to !== undefined && (await comparison(visit, item, from, to))} ${list(visit, item, items, { from, to })}
  ${pagerOf(address.with({}), next, t)}`
  return framedReply(visit, { title, body, kind: 'full' }, refused, { frames: true })
}

function sideOf(text: string | undefined): Side | undefined {
  if (text === 'live' || text === 'staged') return text
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

/** The name of a side, at the head of its column. */
const nameOf = (t: Words, side: Side): string =>
  typeof side === 'number'
    ? t('content.revision_name', { revision: side })
    : t(side === 'live' ? 'content.side_live' : 'content.side_staged')

/** The same within a sentence. */
const nameInline = (t: Words, side: Side): string =>
  typeof side === 'number'
    ? t('content.side_revision_inline', { revision: side })
    : t(side === 'live' ? 'content.side_live_inline' : 'content.side_staged_inline')

async function comparison(visit: SignedIn, item: EditedEntry, from: Side, to: Side): Promise<Html> {
  const { t } = visit
  const { fields, conflicts } = await get(visit, content.diff, { id: item.id, from, to }, {}, { longAnswer: true })
  const [before, after] = [await bodyAt(visit, item.id, from), await bodyAt(visit, item.id, to)]
  const compared = { entry: item.id, from, to }
  const sides = { before: true, after: true, differs: true, title: item.title }
  const isWaiting = from === 'live' && to === 'staged'
  return html`<section class="panel" aria-labelledby="compared">
    <h2 id="compared">${t('content.compared', { from: nameOf(t, from), to: nameInline(t, to) })}</h2>
    ${
      isWaiting &&
      conflicts.length > 0 &&
      html`<p class="notice warn" role="note">
        <strong
          >${t('content.both_changed', { fields: conflicts.map((name) => fieldName(t, visit.site.types.current.all, name)).join(', ') })}</strong
        >
        ${t('content.both_changed_next')}
      </p>`
    }
    ${
      fields.length === 0 && before === after
        ? html`<p class="quiet">${t('content.no_difference')}</p>`
        : html`${comparedViews(visit, {
            compared,
            sides,
            source:
              before === after ? undefined : difference(t, before, after, { before: nameOf(t, from), after: nameOf(t, to) }),
            name: 'sides',
          })}
          ${
            fields.length > 0 &&
            changesOf(
              fields.map((one) => ({ id: item.id, ...one, before: one.before ?? null, after: one.after ?? null })),
              visit,
              await namedIds(visit, fields),
            )
          }`
    }
    ${isWaiting && item.staged && mayRun(visit, content.publish) && waitingForm(visit, item)}
    ${typeof from === 'number' && mayRun(visit, content.revert) && revertForm(visit, item, from)}
  </section>`
}

/** The text at one side. */
async function bodyAt(visit: SignedIn, id: string, side: Side): Promise<string> {
  const which = side === 'live' ? {} : side === 'staged' ? { stage: true } : { revision: side }
  const { item } = await get(visit, content.get, { id, ...which }, { select: ['body'] }, { longAnswer: true })
  return item.body ?? ''
}

const form = (visit: SignedIn, { id, revision }: EditedEntry, buttons: HtmlValue): Html =>
  html`<form method="post" action="${linkTo(visit.request, adminPaths.entryRevisions)}?id=${id}">
    ${csrfField(visit, entryPurpose)}
    <input type="hidden" name="revision" value="${revision}" />
    <p class="actions">${buttons}</p>
  </form>`

const waitingForm = (visit: SignedIn, item: EditedEntry): Html =>
  form(
    visit,
    item,
    html`<button class="primary" name="do" value="publish">${visit.t('content.publish_the_changes')}</button>
      ${mayRun(visit, content.discard) && html`<button class="danger" name="do" value="discard">${visit.t('content.discard_changes')}</button>`}`,
  )

const revertForm = (visit: SignedIn, item: EditedEntry, to: number): Html =>
  form(
    visit,
    item,
    html`<input type="hidden" name="to" value="${to}" />
      <button name="do" value="revert">${visit.t('content.restore_revision', { revision: to })}</button>
      ${isLive(item) && html`<button name="do" value="revert-later">${visit.t('content.restore_revision_later')}</button>`}`,
  )

interface Compared {
  readonly from: Side | undefined
  readonly to: Side | undefined
}

function list(visit: SignedIn, item: EditedEntry, items: readonly Revision[], { from, to }: Compared): Html {
  const { t } = visit
  const newest = items[0]?.revision
  const radio = (name: 'from' | 'to', value: Side, chosen: boolean, label: string) =>
    html`<input type="radio" name="${name}" value="${value}" aria-label="${label}" ${raw(chosen ? 'checked' : '')} />`
  const row = (
    { revision, by, token_name: token, accepted_by: accepted, via, at, action, summary, staged }: Revision,
    place: number,
  ) => {
    const author = acceptedWords(t, token ?? makerWord(t, by), accepted)
    return html`<tr>
      <td class="box">
        ${radio('from', revision, from === revision || (from === undefined && place === Math.min(1, items.length - 1)), t('content.compare_from', { revision }))}
      </td>
      <td class="box">
        ${radio('to', revision, to === revision || (to === undefined && place === 0), t('content.compare_to', { revision }))}
      </td>
      <th scope="row">
        <a href="${linkTo(visit.request, adminPaths.entryRevisions)}?id=${item.id}&amp;from=${revision}&amp;to=${newest}"
          >${t('content.revision_name', { revision })}</a
        >
        ${staged && html` <span class="badge warn">${t('content.waited')}</span>`}
        <small class="phone-only">${author}</small>
      </th>
      <td class="wide-only">${author} <small>${doorWord(t, via)}</small></td>
      <td class="wide-only">${withCode(about(doneWord(visit, { call: action, summary })))}</td>
      <td class="end">${shownTime(visit, at)}</td>
    </tr>`
  }
  return html`<form class="revisions" action="${linkTo(visit.request, adminPaths.entryRevisions)}">
    <input type="hidden" name="id" value="${item.id}" />
    <div class="table" tabindex="0" role="region" aria-label="${t('content.revisions')}">
      <table>
        <thead>
          <tr>
            <th scope="col" class="box">${t('content.revision_from')}</th>
            <th scope="col" class="box">${t('content.revision_to')}</th>
            <th scope="col">${t('content.revision')}</th>
            <th scope="col" class="wide-only">${t('content.revision_by')}</th>
            <th scope="col" class="wide-only">${t('content.revision_what')}</th>
            <th scope="col" class="end">${t('content.revision_when')}</th>
          </tr>
        </thead>
        <tbody>
          ${items.map(row)}
        </tbody>
      </table>
    </div>
    <p class="actions"><button>${t('content.compare')}</button></p>
  </form>`
}

/** Returns the id of the entry in the address. */
const idIn = ({ request }: SignedIn): string => request.query.get('id') ?? ''

const change: Work = async (visit, fields) => {
  const id = idIn(visit)
  const options = sinceShown(fields)
  const [deed, to] = [fields.get('do'), fields.get('to')]
  const { failure } =
    deed === 'publish'
      ? await run(visit, content.publish, { id }, options)
      : deed === 'discard'
        ? await run(visit, content.discard, { id }, options)
        : await run(
            visit,
            content.revert,
            { id, revision: numberIn(to), ...(deed === 'revert-later' ? { stage: true } : {}) },
            options,
          )
  if (failure) return failure
  const done = new Map<string, Done>([
    ['publish', 'content.done_published'],
    ['discard', 'content.done_discarded'],
    ['revert-later', 'content.done_staged'],
  ])
  return goDone(visit, `${adminPaths.editEntry}?id=${encodeURIComponent(id)}`, done.get(deed) ?? 'content.done_reverted')
}

export const changeRevisions = formTaker(entryPurpose, change, (visit, refused) => revisionsReply(visit, idIn(visit), refused))

// Activity: who changed what, grouped by author and stretch of work. A change, or a whole stretch, is taken back from here.

import { type ActivityItem, activityList } from '../../actions/classes/svc-activity.ts'
import { undo } from '../../actions/classes/undo.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { run } from '../page.ts'
import { doneBox, faultBox } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { counted, emptyState, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { askedOf, filterForm, filterNames } from './filters.ts'
import { authorOf, doorWords, isUndo, recordPath, takeBackPath, whatOf } from './record-parts.ts'
import { recordReply } from './record-page.ts'
import { type Stretch, stretchesOf, undoableIds } from './stretches.ts'

/** GET; `id` shows one change, the other parameters filter the list. */
export async function showActivity(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? listReply(visit) : recordReply(visit, id)
}

async function listReply(visit: SignedIn): Promise<Reply> {
  const address = listAddress(visit.request, adminPaths.activity)
  const [filters, { data, failure }] = await Promise.all([filterForm(visit, address), run(visit, activityList, askedOf(address))])
  const stretches = stretchesOf(data?.items ?? [])
  const body = html`${pageHead('Activity', 'Who changed what. Open a change to see its differences, or take it back.')}
  ${doneBox(doneWords(visit))} ${faultBox(failure && sentenceOf(failure))} ${filters}
  ${data && (stretches.length === 0 ? nothing(visit, address) : html`${takeAllBack(visit, address)} ${stretches.map((one) => stretchPart(visit, one))}`)}
  ${data && pagerOf(address.with({}), data.next_cursor)}`
  return pageReply(visit, failure ? formStatus[failure.code] : 200, framed(visit, { title: 'Activity', body }))
}

/** After changes were taken back: their number is in the address. */
function doneWords({ request }: SignedIn): string | undefined {
  const count = /^\d{1,3}$/.exec(request.query.get('done') ?? '')?.[0]
  return count && `${counted(Number(count), 'change')} taken back. To have them again, choose “Redo” at the newest change.`
}

const nothing = (visit: SignedIn, address: ListAddress): Html =>
  ['search', ...filterNames].some((name) => address.get(name) !== undefined)
    ? html`<p class="quiet">No change matches. <a href="${linkTo(visit.request, adminPaths.activity)}">Show all</a></p>`
    : emptyState(
        'Nothing has changed yet',
        'Each change of the site is listed here, with the person, app or script that made it.',
      )

/** Everything that the chosen person, token or app did from the chosen day on, such as an afternoon of an app. */
function takeAllBack(visit: SignedIn, address: ListAddress): HtmlValue {
  const [since, by, token] = ['from', 'by', 'token'].map((name) => address.get(name))
  if (since === undefined || (by === undefined && token === undefined) || !mayRun(visit, undo)) return undefined
  const query = new URLSearchParams({ since, ...(by === undefined ? {} : { by }), ...(token === undefined ? {} : { token }) })
  const href = `${linkTo(visit.request, adminPaths.takeBack)}?${query.toString()}`
  return html`<p class="actions"><a class="button" href="${href}">Take back everything since ${since}…</a></p>`
}

function stretchPart(visit: SignedIn, { newest, items }: Stretch): Html {
  const oldest = items.at(-1) ?? newest
  const ids = mayRun(visit, undo) ? undoableIds(items) : []
  const heading = `s-${newest.id}`
  return html`<section class="panel stretch" aria-labelledby="${heading}">
    <div class="page-head">
      <div>
        <h2 id="${heading}">${authorOf(newest)}</h2>
        <p class="quiet">
          ${counted(items.length, 'change')} through ${doorWords[newest.door]},
          ${sameMinute(oldest, newest) ? shownTime(visit, newest.at) : html`${shownTime(visit, oldest.at)} to ${shownTime(visit, newest.at)}`}
        </p>
      </div>
      ${ids.length > 1 && html`<p class="actions"><a class="button" href="${takeBackPath(visit, ids)}">Take back all ${ids.length}…</a></p>`}
    </div>
    <ul class="lines">
      ${items.map((item) => changeLine(visit, item))}
    </ul>
  </section>`
}

/** Times are shown to the minute. */
const sameMinute = (a: ActivityItem, b: ActivityItem): boolean => a.at.slice(0, 16) === b.at.slice(0, 16)

function changeLine(visit: SignedIn, item: ActivityItem): Html {
  const [id] = mayRun(visit, undo) ? undoableIds([item]) : []
  return html`<li>
    ${whatOf(visit, item)}
    <span class="side">
      ${item.undone_by !== null && html`<span class="badge">taken back</span>`}
      <a href="${recordPath(visit, item.id)}">${shownTime(visit, item.at)}<span class="unseen">, differences</span></a>
      ${id !== undefined && html`<a href="${takeBackPath(visit, [id])}">${isUndo(item) ? 'Redo' : 'Take back'}<span class="unseen"> this change</span></a>`}
    </span>
  </li>`
}

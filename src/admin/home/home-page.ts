// The home page of the admin: what waits for the visitor, what needs attention with its fix, the recent activity, and the address
// for assistants.

import { activity } from '../../actions/activity/index.ts'
import type { ActivityItem } from '../../actions/activity/record-item.ts'
import { content } from '../../actions/content/index.ts'
import { proposals } from '../../actions/proposals/index.ts'
import { findExamples } from '../../actions/site/examples.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { baseOf, mcpPath } from '../../doors/shared/paths.ts'
import type { Reply } from '../../http/reply.ts'
import { namedProposals } from '../activity/proposal-words.ts'
import { authorOf, recordPath, whatOf } from '../activity/record-parts.ts'
import { newEntryWords } from '../content/type-words.ts'
import { mayRun } from '../navigation.ts'
import { get } from '../page.ts'
import { objectLink } from '../parts/object-link.ts'
import { lineList, panel } from '../parts/panel.ts'
import { pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { copyable, copyScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { attention } from './attention.ts'
import { examplesPanel } from './examples-panel.ts'
import { nextSteps } from './next-steps.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** The number of items of each kind on the page. */
const shown = 5

export async function showHome(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { site, request, session, t } = visit
  const title = site.settings.values.site_title
  const waitingList = { sort: '-updated_at', limit: shown, count: true } as const
  const [drafts, pending, recent, proposed, examples] = await Promise.all([
    get(visit, content.list, { ...waitingList, where: { status: 'draft' } }),
    get(visit, content.list, { ...waitingList, where: { staged: true } }),
    get(visit, activity.list, { limit: 8 }),
    waitingProposals(visit),
    findExamples(site.store.read),
  ])
  const isEmpty = drafts.total === 0 && pending.total === 0 && (await hasNoEntry(visit))
  const body = html`${pageHead(title, t('home.signed_in_as', { name: session.account.name }), html`${newPost(visit)}<a class="button" href="${linkTo(request, '/')}">${t('shell.view_site')}</a>`)}
    ${await attention(visit)} ${await nextSteps(visit, examples)} ${examplesPanel(visit, examples)} ${proposed}
    ${
      !isEmpty &&
      html`<div class="columns">
        ${waiting(visit, 'drafts', { label: t('home.drafts'), none: t('home.no_drafts'), all: t('home.all_drafts'), list: '?show=draft' }, drafts)}
        ${waiting(visit, 'pending-changes', { label: t('home.pending'), none: t('home.no_pending'), all: t('home.all_pending'), list: '?show=waiting' }, pending)}
      </div>`
    }
    ${panel('recent', t('home.changed_lately'), recentList(visit, recent.items))}
    <section class="panel connect" aria-labelledby="connect">
      <h2 id="connect">${t('shell.connect')}</h2>
      <p>${t('home.connect_help')}</p>
      <p class="address">${copyable(t('home.the_address'), baseOf(request) + mcpPath)}</p>
      <p><a href="${linkTo(request, adminPaths.connect)}">${t('home.connect_clients')}</a></p>
    </section>`
  return framedReply(visit, { title: t('shell.home'), body, script: copyScript }, refused)
}

/** The button that starts a post. On a phone it is within reach of the thumb. */
function newPost(visit: SignedIn): HtmlValue {
  const type = visit.site.types.current.all.find(({ dated }) => dated)
  if (!type || !mayRun(visit, content.create)) return undefined
  const address = `${linkTo(visit.request, adminPaths.newEntry)}?type=${type.slug}`
  return html`<a class="button primary thumb-reach" href="${address}">${newEntryWords(visit.t, type)}</a> `
}

function recentList(visit: SignedIn, items: readonly ActivityItem[]): Html {
  const { request, t } = visit
  if (items.length === 0) return html`<p class="quiet">${t('home.nothing_changed')}</p>`
  const lines = items.map(
    (item) =>
      html`${whatOf(visit, item)}
        <small
          >${authorOf(visit, item)},
          <a href="${recordPath(visit, item.id)}">${shownTime(visit, item.at)}</a>
          ${item.undone_by !== null && html`<span class="badge">${t('activity.taken_back')}</span>`}</small
        >`,
  )
  return html`${lineList(lines)}
    <p><a href="${linkTo(request, adminPaths.activity)}">${t('activity.all')}</a></p>`
}

/** Returns true if the site has no entries, published ones included. */
const hasNoEntry = async (visit: SignedIn): Promise<boolean> => (await get(visit, content.list, { limit: 1 })).items.length === 0

interface Waiting {
  readonly items: readonly { readonly id: string; readonly title: string; readonly updated_at: string }[]
  readonly total?: number
}

interface WaitingWords {
  readonly label: string
  /** The text if nothing waits. */
  readonly none: string
  readonly all: string
  /** The query for the list of all these entries. */
  readonly list: string
}

function waiting(visit: SignedIn, id: string, { label, none, all, list }: WaitingWords, { items, total = 0 }: Waiting): Html {
  const lines = items.map(
    (entry) =>
      html`<span class="what">${objectLink(visit.request, { kind: 'entry', ...entry }, visit.t)}</span>
        <small>${shownTime(visit, entry.updated_at)}</small>`,
  )
  const more = total > items.length && html`<p><a href="${linkTo(visit.request, adminPaths.content)}${list}">${all}</a></p>`
  const content = items.length === 0 ? html`<p class="quiet">${none}</p>` : html`${lineList(lines)} ${more}`
  return panel(id, html`${label} ${total > 0 && html`<span class="count">${total}</span>`}`, content)
}

/** The proposals that wait for this visitor's decision. */
async function waitingProposals(visit: SignedIn): Promise<HtmlValue> {
  if (!visit.waiting || !mayRun(visit, proposals.approve)) return undefined
  const found = await get(visit, proposals.list, { where: { state: 'waiting' }, limit: shown })
  const items = await namedProposals(visit, found.items)
  const path = linkTo(visit.request, adminPaths.approvals)
  const lines = items.map(
    ({ id, heading, by, token_name: token, created_at: at }) =>
      html`<span class="what"><a href="${path}?id=${id}">${heading}</a></span>
        <small>${token ?? by}, ${shownTime(visit, at)}</small>`,
  )
  const more = visit.waiting > items.length && html`<p><a href="${path}">${visit.t('home.all_proposals')}</a></p>`
  const title = html`${visit.t('home.proposals')} <span class="count">${visit.waiting}</span>`
  return panel('proposals', title, html`${lineList(lines)} ${more}`)
}

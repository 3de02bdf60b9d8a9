// The list of proposals in one state. Waiting proposals can be selected, and accepted or refused together with one note.

import type { BatchCall } from '../../actions/api/batch-plan.ts'
import { proposals } from '../../actions/proposals/index.ts'
import { html, type Html, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import { sentenceOf } from '../failure.ts'
import { proposalNeedsProof } from '../access/step-up.ts'
import type { Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { get, isProofNeeded, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { areaField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { postForm } from '../parts/post-form.ts'
import { emptyState, linkButton, pageHead, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { acceptedPages } from './accepted-pages.ts'
import { getShown, shownChanges, type ShownProposal, stepsPanel } from './approval-changes.ts'
import { namedProposals, proposalWords } from './proposal-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

const states = [
  { state: 'waiting', label: 'activity.waiting' },
  { state: 'approved', label: 'activity.accepted' },
  { state: 'rejected', label: 'activity.refused' },
  { state: 'replaced', label: 'activity.replaced' },
] as const

type State = (typeof states)[number]['state']

/** The id of the form with the buttons for selected proposals. */
const form = 'selected'

const stateOf = (text: string | undefined): State => states.find(({ state }) => state === text)?.state ?? 'waiting'

/** The list; `state` in the address chooses it, `all` selects all. */
export async function approvalsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { fields } = refused
  const { request, t } = visit
  const address = listAddress(request, adminPaths.approvals)
  const state = stateOf(address.get('state'))
  const { items: found, next_cursor: next } = await get(visit, proposals.list, { where: { state }, ...address.pick('cursor') })
  const items = await namedProposals(visit, found)
  const decides = state === 'waiting' && items.length > 1 && mayRun(visit, proposals.approve)
  const selected = new Set(address.get('all') === 'yes' ? items.map(({ id }) => id) : fields?.all('ids'))
  const accepted = request.query.get('of')
  const body = html`${pageHead(t('shell.approvals'), t('activity.approvals_lead'))}
  ${accepted !== null && (await acceptedPages(visit, accepted))}
  ${tabs(
    t('shell.approvals'),
    states.map((one) => ({
      label: t(one.label),
      href: address.with({ state: one.state, all: undefined }),
      current: one.state === state,
    })),
  )}
  ${
    items.length === 0
      ? nothing(visit, state)
      : html`<ul class="lines panel">
          ${items.map(
            ({ id, heading, by, token_name: token, created_at: at }) =>
              html`<li>
                <span class="what"
                  >${decides && box(visit, id, heading, selected.has(id))}
                  <a href="${linkTo(request, adminPaths.approvals)}?id=${id}">${heading}</a></span
                >
                <small>${token ?? by}, ${shownTime(visit, at)}</small>
              </li>`,
          )}
        </ul>`
  }
  ${decides && decision(visit, address.with({ all: 'yes', cursor: address.get('cursor') }), fields)}
  ${pagerOf(address.with({ all: undefined }), next, t)}`
  return framedReply(visit, { title: t('shell.approvals'), body }, refused)
}

const nothing = (visit: SignedIn, state: State): Html =>
  state === 'waiting'
    ? emptyState(
        visit.t('activity.none_waits'),
        visit.t('activity.none_waits_help'),
        linkButton(visit, adminPaths.tokens, 'activity.make_asking_token'),
      )
    : html`<p class="quiet">${visit.t('activity.none_yet')}</p>`

const box = ({ t }: SignedIn, id: string, title: string, isSelected: boolean): Html =>
  html`<label
    ><input type="checkbox" name="ids" value="${id}" form="${form}" ${isSelected ? raw('checked') : ''} /><span class="unseen"
      >${t('activity.select_proposal', { title })}</span
    ></label
  >`

/** @param all the address of the list with all selected */
function decision(visit: SignedIn, all: string, fields: Fields | undefined): Html {
  const { t } = visit
  return html`<section class="panel" aria-labelledby="decide">
    <h2 id="decide">${t('activity.decide_selected')}</h2>
    <p><a href="${all}">${t('activity.select_all')}</a></p>
    ${postForm(visit, {
      path: adminPaths.approvals,
      purpose: 'approvals',
      id: form,
      body: html`${areaField({ name: 'note', label: t('activity.note'), value: fields?.get('note'), rows: 2, help: t('activity.note_help') })}
        <p class="actions">
          <button class="primary" name="decide" value="approve">${t('activity.accept_selected')}</button>
          <button name="decide" value="reject">${t('activity.refuse_selected')}</button>
        </p>`,
    })}
  </section>`
}

/**
 * Decides on each selected proposal separately. Before proposals are accepted, a page shows what all of them change. Proposals that
 * can't be decided keep waiting, and the page names them.
 */
export async function decideSelected(visit: SignedIn, fields: Fields): Promise<Reply> {
  const { t } = visit
  const ids = [...new Set(fields.all('ids'))].slice(0, maxSelected)
  if (ids.length === 0) return approvalsReply(visit, { fault: t('activity.select_first'), status: 400, fields })
  const approves = fields.get('decide') === 'approve'
  if (approves && !fields.has('shown')) return selectedReply(visit, ids, fields)
  const refused = approves && fields.has('password') ? await confirmPassword(visit, fields) : undefined
  if (refused) return selectedReply(visit, ids, fields, refused)
  const note = fields.get('note').trim()
  const faults: string[] = []
  for (const id of ids) {
    const given = { id, ...(note && { note }) }
    const sentence = approves
      ? await approveOne(visit, { ...given, digest: fields.get(digestField(id)) })
      : await rejectOne(visit, given)
    if (sentence !== undefined) faults.push(await faultOf(visit, id, sentence))
  }
  if (faults.length === 0) return goDone(visit, adminPaths.approvals, 'activity.done_selected')
  const fault = t('activity.decided_partly', { done: ids.length - faults.length, faults: faults.join(' ') })
  return approvalsReply(visit, { fault, status: 409, fields })
}

/** The most proposals on a page of the list. */
const maxSelected = 100

const digestField = (id: string): string => `digest-${id}`

/** @returns the reason if the proposal was not accepted */
async function approveOne(visit: SignedIn, given: { readonly id: string; readonly digest: string }): Promise<string | undefined> {
  try {
    const { failure } = await run(visit, proposals.approve, given)
    return failure && sentenceOf(failure, visit.t)
  } catch (error) {
    // Asking for re-authentication now would make the earlier calls run a second time.
    if (isProofNeeded(error)) return visit.t('activity.decide_alone')
    throw error
  }
}

async function rejectOne(visit: SignedIn, given: { readonly id: string }): Promise<string | undefined> {
  const { failure } = await run(visit, proposals.reject, given)
  return failure && sentenceOf(failure, visit.t)
}

/**
 * Shows what the selected proposals change, with the button that accepts them. Proposals whose calls would fail are shown, but not
 * accepted.
 */
async function selectedReply(visit: SignedIn, ids: readonly string[], fields: Fields, refused?: Refused): Promise<Reply> {
  const { t, site } = visit
  const items: ShownProposal[] = []
  for (const id of ids) items.push(await getShown(visit, id))
  const named = await Promise.all(
    items.map(
      async (item, place) =>
        html`<h2 id="proposal-${place}">${proposalWords(visit, item.title, item.calls as readonly BatchCall[])}</h2>
          ${await shownChanges(visit, item, `proposal-${place}`)} ${stepsPanel(visit, item, `proposal-${place}`)}`,
    ),
  )
  const able = items.filter(({ digest, state }) => digest !== null && state === 'waiting')
  const title = t('activity.accept_selected')
  const accept = t('activity.accept_count', { count: able.length })
  const needs = able.some(({ calls }) => proposalNeedsProof(site.registry, calls))
  const body = html`${pageHead(title, t('activity.accept_selected_lead'))} ${named}
  ${postForm(visit, {
    path: adminPaths.approvals,
    purpose: 'approvals',
    hidden: { shown: 'yes', note: fields.get('note') },
    body: html`${able.map(
        ({ id, digest }) =>
          html`<input type="hidden" name="ids" value="${id}" /><input
              type="hidden"
              name="${digestField(id)}"
              value="${digest}"
            />`,
      )}
      ${needs && passwordAgain(visit, refused?.passwordFault)}
      <p class="actions">
        ${able.length > 0 && html`<button class="primary" name="decide" value="approve">${accept}</button>`}
        ${linkButton(visit, adminPaths.approvals, 'activity.all_approvals')}
      </p>`,
  })}`
  return framedReply(visit, { title, body, kind: 'full' }, refused, { frames: true })
}

async function faultOf(visit: SignedIn, id: string, sentence: string): Promise<string> {
  const { data } = await run(visit, proposals.list, { where: { id: { in: [id] } } })
  const [named] = await namedProposals(visit, data?.items ?? [])
  return visit.t('activity.decided_fault', { title: named?.heading ?? id, sentence })
}

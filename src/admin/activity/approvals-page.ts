// Approvals: proposals of assistants, each with its differences, on which an admin decides. A proposal is accepted whole or in
// part, or refused with a note.

import type { BatchCall } from '../../actions/api/batch-plan.ts'
import { proposals } from '../../actions/proposals/index.ts'
import type { ProposalStep } from '../../actions/proposals/proposal-item.ts'
import { html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import { proposalNeedsProof } from '../access/step-up.ts'
import { csrfField } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { donePath, goDone } from '../parts/done-notice.ts'
import { areaField } from '../parts/fields.ts'
import { faultsOf, formTaker, sinceShown, type Work } from '../parts/post-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo, withParameter } from '../paths.ts'
import { goTo } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey } from '../words.ts'
import { acceptedPages } from './accepted-pages.ts'
import { getShown, shownChanges, type ShownProposal, stepsPanel } from './approval-changes.ts'
import { callsAt, changePath, changeReply, makeRevised, maxChangeBytes, takeChange } from './change-page.ts'
import { approvalsReply, decideSelected } from './approvals-list.ts'
import { neighbourLinks } from './neighbours.ts'
import { proposalWords, stepWords } from './proposal-words.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** GET; `id` shows one, `state` chooses a list. */
export async function showApprovals(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  if (id === null) return approvalsReply(visit)
  return visit.request.query.get('change') === 'yes' ? changeReply(visit, id) : oneReply(visit, id)
}

async function oneReply(visit: SignedIn, id: string, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const item = await getShown(visit, id)
  const heading = proposalWords(visit, item.title, item.calls as readonly BatchCall[])
  const faults = faultsOf(t, refused.failure, ['note'])
  const decides = item.state === 'waiting' && mayRun(visit, proposals.approve)
  const body = html`${decides && (await neighbourLinks(visit, id))}
  ${pageHead(
    heading,
    t.rich('activity.proposed_by', { by: item.token_name ?? item.by, at: shownTime(visit, item.created_at) }),
    linkButton(visit, adminPaths.approvals, 'activity.all_approvals'),
  )}
  ${item.replaces !== null && html`<p class="quiet">${t('activity.made_of')} <a href="${linkTo(visit.request, adminPaths.approvals)}?id=${item.replaces}">${t('activity.see_first')}</a></p>`}
  ${await shownChanges(visit, item)} ${!decides && stepsPanel(visit, item)}
  ${decides ? decision(visit, item, refused, faults.at('note')) : outcome(visit, item)}
  ${item.state === 'approved' && (await acceptedPages(visit, id))}`
  return framedReply(visit, { title: heading, body, kind: 'full' }, refused, { frames: true })
}

function decision(
  visit: SignedIn,
  { id, calls, steps, revision, digest, stale }: ShownProposal,
  { fields, passwordFault }: Refused,
  fault: string | undefined,
): Html {
  const { t } = visit
  const isChosen = (place: number) => !fields || fields.all('only').includes(String(place))
  const choice = (step: ProposalStep, place: number) =>
    html`<label class="choice">
      <input type="checkbox" name="only" value="${place}" ${isChosen(place) ? raw('checked') : ''} />
      <span>${place + 1}. ${stepWords(visit, step)}</span>
    </label>`
  return html`<section class="panel" aria-labelledby="decide">
    <h2 id="decide">${t('activity.decide')}</h2>
    <form method="post" action="${linkTo(visit.request, adminPaths.approvals)}">
      ${csrfField(visit, 'approvals')}
      <input type="hidden" name="id" value="${id}" />
      <input type="hidden" name="revision" value="${revision}" />
      ${digest !== null && html`<input type="hidden" name="digest" value="${digest}" />`}
      ${
        calls.length > 1 &&
        html`<fieldset>
          <legend>${t('activity.steps')}</legend>
          <p class="quiet">${t('activity.steps_help')}</p>
          ${steps.map(choice)}
        </fieldset>`
      }
      ${areaField({ name: 'note', label: t('activity.note'), value: fields?.get('note'), rows: 3, help: t('activity.note_help'), fault })}
      ${proposalNeedsProof(visit.site.registry, calls) && passwordAgain(visit, passwordFault)}
      <p class="actions">
        ${!stale && html`<button class="primary" name="decide" value="approve">${t('activity.accept')}</button>`}
        <button name="decide" value="reject" formnovalidate>${t('activity.refuse')}</button>
        <a class="button" href="${linkTo(visit.request, changePath(id))}">${t('activity.change_proposal')}</a>
      </p>
    </form>
  </section>`
}

/** The decisions in words. */
const outcomes: Readonly<Record<string, MessageKey>> = {
  approved: 'activity.accepted_by',
  rejected: 'activity.refused_by',
  replaced: 'activity.replaced_by',
}

const outcome = (
  visit: SignedIn,
  item: {
    readonly state: string
    readonly decided_by: string | null
    readonly decided_at: string | null
    readonly answer: string | null
    readonly replaced_by: string | null
  },
): HtmlValue =>
  item.state !== 'waiting' &&
  html`<section class="panel">
    <p>
      ${visit.t.rich(outcomes[item.state] ?? 'activity.refused_by', {
        by: item.decided_by,
        at: shownTime(visit, item.decided_at),
      })}
      ${item.replaced_by !== null && html`<a href="${linkTo(visit.request, adminPaths.approvals)}?id=${item.replaced_by}">${visit.t('activity.see_replacing')}</a>`}
      ${item.answer !== null && visit.t('activity.quoted', { text: item.answer })}
    </p>
  </section>`

const decide: Work = async (visit, fields) => {
  if (!fields.has('id')) return decideSelected(visit, fields)
  const id = fields.get('id')
  const note = fields.get('note').trim()
  const given = note === '' ? { id } : { id, note }
  const options = sinceShown(fields)
  if (fields.get('decide') === 'change') return takeChange(visit, fields)
  const approves = fields.get('decide') === 'approve'
  const only = fields.all('only').map(Number)
  const calls = approves ? (await get(visit, proposals.get, { id }, { select: ['calls'] })).item.calls : []
  if (approves && calls.length > 1 && only.length === 0) return new Failure('invalid', visit.t('activity.choose_calls'))
  // A part is a proposal of its own, which is tried and shown before it runs.
  if (approves && calls.length > 1 && only.length < calls.length)
    return (await makeRevised(visit, fields, callsAt(visit, calls as readonly BatchCall[], only))) ?? oneReply(visit, id)
  const refused = approves && proposalNeedsProof(visit.site.registry, calls) ? await confirmPassword(visit, fields) : undefined
  if (refused) return oneReply(visit, id, { fields, ...refused })
  const look = fields.has('digest') ? { digest: fields.get('digest') } : {}
  const { failure } = approves
    ? await run(visit, proposals.approve, { ...given, ...look }, options)
    : await run(visit, proposals.reject, given, options)
  if (failure) return failure
  if (!approves) return goDone(visit, adminPaths.approvals, 'activity.done_rejected')
  return goTo(visit, withParameter(donePath(adminPaths.approvals, proposals.approve), 'of', id))
}

export const decideApproval = formTaker(
  'approvals',
  decide,
  (visit, refused) => oneReply(visit, refused.fields.get('id'), refused),
  maxChangeBytes,
)

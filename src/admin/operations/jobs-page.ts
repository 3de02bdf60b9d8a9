// Jobs: work that outlasts a call, or that recurs. The page shows running jobs with their progress, and the buttons that cancel a
// job or run it again.

import { jobs } from '../../actions/jobs/index.ts'
import { type JobItem } from '../../actions/jobs/job-item.ts'
import { html, type Html, raw } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { jobStates } from '../../jobs/job-store.ts'
import { confirmPassword } from '../access/confirm-password.ts'
import { needsProof } from '../access/step-up.ts'
import { get, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { emptyState, linkButton, pageHead, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { callWord } from '../action-words.ts'
import { makerWord } from '../activity/record-parts.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { failureText, jobForms, jobPath, progressOf, stateBadge, stateKeys } from './job-parts.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { onItem } from '../parts/form-input.ts'
import { formTaker, type Work } from '../parts/post-form.ts'

/** GET; `id` shows one job, `state` narrows the list. */
export async function showJobs(visit: SignedIn): Promise<Reply> {
  const id = visit.request.query.get('id')
  return id === null ? jobsReply(visit) : jobReply(visit, id)
}

async function jobsReply(visit: SignedIn, refused: Refused = {}): Promise<Reply> {
  const { t } = visit
  const address = listAddress(visit.request, adminPaths.jobs)
  const state = jobStates.find((one) => one === address.get('state'))
  const { items, next_cursor: next } = await get(visit, jobs.list, {
    ...(state && { where: { state } }),
    ...address.pick('cursor', 'sort'),
  })
  const links = [undefined, ...jobStates].map((one) => ({
    label: t(one === undefined ? 'operations.all' : stateKeys[one]),
    href: address.with({ state: one }),
    current: one === state,
  }))
  const isRunning = items.some((item) => item.state === 'running')
  const body = html`${pageHead(t('operations.jobs'), t('operations.jobs_lead'))} ${tabs(t('operations.jobs'), links)}
  ${isRunning && html`<p data-running><a class="button" href="${address.with({})}">${t('operations.look_again')}</a></p>`}
  ${items.length === 0 ? emptyState(t('operations.no_jobs'), t('operations.no_jobs_next')) : jobTable(visit, items, address, refused)}
  ${pagerOf(address.with({}), next, t)}`
  return framedReply(visit, { title: t('operations.jobs'), body }, refused)
}

const jobTable = (visit: SignedIn, items: readonly JobItem[], query: ListAddress, refused: Refused): Html =>
  table(visit.t, {
    caption: visit.t('operations.jobs'),
    rows: items,
    query,
    sort: '-created_at',
    columns: [
      {
        label: visit.t('operations.job'),
        cell: ({ id, call }) => html`<a href="${jobPath(visit, id)}">${callWord(visit, call)}</a>`,
      },
      {
        label: visit.t('operations.state'),
        cell: (item) => html`${stateBadge(item.state, visit.t)} ${progressOf(item, visit.t)}`,
      },
      { label: visit.t('operations.by'), cell: ({ by }) => by, wideOnly: true },
      {
        label: visit.t('operations.when'),
        cell: ({ created_at: at, next_run: next }) =>
          next === null ? shownTime(visit, at) : visit.t.rich('operations.next_at', { time: shownTime(visit, next) }),
        sort: 'created_at',
        end: true,
        wideOnly: true,
      },
      // Most lists have no job with a button.
      ...(items.some((item) => jobForms(visit, item) !== undefined)
        ? [{ label: visit.t('operations.do'), cell: (item: JobItem) => jobForms(visit, item, refused), end: true }]
        : []),
    ],
  })

async function jobReply(visit: SignedIn, id: string): Promise<Reply> {
  const { item } = await get(visit, jobs.get, { id })
  const { t } = visit
  const fault = failureText(item.error)
  const body = html`${pageHead(callWord(visit, item.call), undefined, linkButton(visit, adminPaths.jobs, 'operations.all_jobs'))}
    ${fault !== '' && html`<p class="notice fault" role="note">${t.said(fault)}</p>`}
    <section class="panel" aria-labelledby="state" ${item.state === 'running' ? raw('data-running') : ''}>
      <h2 id="state">${t(stateKeys[item.state])}</h2>
      ${progressOf(item, t)}
      ${factList({
        [t('operations.by')]: makerWord(t, item.by),
        [t('operations.created')]: shownTime(visit, item.created_at),
        [t('operations.started')]: shownTime(visit, item.started_at),
        [t('operations.ended')]: item.finished_at !== null && shownTime(visit, item.finished_at),
        [t('operations.next_run')]: item.next_run !== null && shownTime(visit, item.next_run),
        [t('operations.attempts')]: item.attempts,
      })}
      <div class="line-forms">${jobForms(visit, item)}</div>
    </section>
    ${
      item.result !== null &&
      html`<section class="panel" aria-labelledby="result">
        <h2 id="result">${t('operations.its_answer')}</h2>
        <pre
          tabindex="0"
          role="region"
          aria-label="${t('operations.its_answer')}"
        ><code>${JSON.stringify(item.result, undefined, 2)}</code></pre>
      </section>`
    }`
  return framedReply(visit, { title: callWord(visit, item.call), body })
}

const cancel = onItem(jobs.cancel, (visit) => goDone(visit, adminPaths.jobs, 'operations.done_job_cancelled'))

export const cancelJob = formTaker('cancel-job', cancel, jobsReply)

const retry: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { item } = await get(visit, jobs.get, { id })
  const refused = needsProof(visit.site.registry, item.call) ? await confirmPassword(visit, fields) : undefined
  if (refused) return jobsReply(visit, refused)
  const { failure } = await run(visit, jobs.retry, { id })
  return failure ?? goDone(visit, adminPaths.jobs, jobs.retry)
}

export const retryJob = formTaker('retry-job', retry, jobsReply)

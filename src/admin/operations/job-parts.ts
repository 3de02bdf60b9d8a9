// A job on a page: its state, its progress, and the buttons that cancel it or run it again.

import { jobs } from '../../actions/jobs/index.ts'
import { type JobItem } from '../../actions/jobs/job-item.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { JobState } from '../../jobs/job-store.ts'
import { callWord } from '../action-words.ts'
import { passwordAgain, proofFault } from '../access/confirm-password.ts'
import { needsProof } from '../access/step-up.ts'
import { mayRun } from '../navigation.ts'
import { run } from '../page.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import type { Refused } from '../framed-reply.ts'
import { postForm } from '../parts/post-form.ts'

/** The states of jobs in words. */
export const stateKeys: Readonly<Record<JobState, MessageKey>> = {
  waiting: 'operations.job_recurring',
  running: 'operations.job_running',
  done: 'operations.job_done',
  failed: 'operations.job_failed',
  cancelled: 'operations.job_cancelled',
}

const stateClass: Readonly<Partial<Record<JobState, string>>> = { done: 'good', failed: 'warn' }

export const stateBadge = (state: JobState, t: Words): Html =>
  html`<span ${attribute('class', ['badge', stateClass[state]].filter(Boolean).join(' '))}>${t(stateKeys[state])}</span>`

/** The progress of a job. */
export function progressOf({ progress, state }: Pick<JobItem, 'progress' | 'state'>, t: Words): HtmlValue {
  if (state !== 'running') return undefined
  if (progress === null) return html`<progress aria-label="${t('operations.progress')}"></progress>`
  const { done, total, note } = progress
  const words = note ?? (total === undefined ? String(done) : t('operations.progress_of', { done, total }))
  return html`<progress
      aria-label="${t('operations.progress')}"
      ${attribute('value', total === undefined ? undefined : done)}
      ${attribute('max', total === undefined ? undefined : Math.max(total, 1))}
    ></progress>
    <small>${words}</small>`
}

export const jobPath = ({ request }: SignedIn, id: string): string =>
  `${linkTo(request, adminPaths.jobs)}?id=${encodeURIComponent(id)}`

/** The buttons that a job has in its state. */
export function jobForms(
  visit: SignedIn,
  { id, state, call }: Pick<JobItem, 'id' | 'state' | 'call'>,
  refused: Refused = {},
): HtmlValue {
  const form = (path: string, purpose: string, label: MessageKey, proof?: HtmlValue): Html =>
    postForm(visit, {
      path,
      purpose,
      hidden: { id },
      body: html`${proof} <button>${visit.t(label)}<span class="unseen"> ${callWord(visit, call)}</span></button>`,
    })
  if (state === 'running' && mayRun(visit, jobs.cancel)) return form(adminPaths.cancelJob, 'cancel-job', 'operations.cancel')
  if ((state === 'failed' || state === 'cancelled') && mayRun(visit, jobs.retry))
    return form(
      adminPaths.retryJob,
      'retry-job',
      'operations.run_again',
      needsProof(visit.site.registry, call) && passwordAgain(visit, proofFault(visit, refused, adminPaths.retryJob, id)),
    )
  return undefined
}

/**
 * The job that a form of a page has started, named by `job` in the address. While the job runs, the page shows its progress, and
 * the script reloads the page.
 */
export async function startedJob(visit: SignedIn, done: string | ((call: string) => string)): Promise<HtmlValue> {
  const id = visit.request.query.get('job')
  if (id === null) return undefined
  const { data } = await run(visit, jobs.get, { id, wait: 1 })
  if (!data) return undefined
  const { item } = data
  const { t } = visit
  if (item.state === 'done')
    return html`<p class="notice done" role="status">${typeof done === 'string' ? done : done(item.call)}</p>`
  if (item.state !== 'running')
    return html`<p class="notice fault" role="alert">
      ${t.rich('operations.job_ended', {
        state: t(stateKeys[item.state]),
        reason: t.said(failureText(item.error)),
        link: html`<a href="${jobPath(visit, id)}">${t('operations.see_job')}</a>`,
      })}
    </p>`
  return html`<section class="panel" aria-labelledby="running" data-running>
    <h2 id="running">${t('operations.job_running')}</h2>
    <p role="status">${progressOf(item, t)}</p>
    <div class="line-forms">
      <a class="button" href="${linkTo(visit.request, visit.request.path)}?${visit.request.query.toString()}"
        >${t('operations.look_again')}</a
      >
      ${jobForms(visit, item)}
    </div>
  </section>`
}

/** Returns the sentence of a failure that a job stores. */
export function failureText(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : undefined
  return typeof message === 'string' ? message : ''
}

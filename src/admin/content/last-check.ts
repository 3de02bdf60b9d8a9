// The last check of the whole site: its job and its findings. A check is a job, and jobs are stored for a week.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { callName } from '../../actions/call/action.ts'
import { content } from '../../actions/content/index.ts'
import { jobs } from '../../actions/jobs/index.ts'
import { type JobItem } from '../../actions/jobs/job-item.ts'
import { includesTier } from '../../identity/caller.ts'
import { findLatestJob } from '../../jobs/job-store.ts'
import { jsonText } from '../../base/json.ts'
import { get } from '../page.ts'
import type { SignedIn } from '../visit.ts'

export type CheckReport = AnswerOf<typeof content.check.output>
export type ReportedFinding = CheckReport['items'][number]

export const everyEntry = { where: {} } as const

/** The arguments as the row of a job stores them. */
const storedArguments = jsonText({ input: everyEntry, options: {} })

/**
 * Returns the id of the newest check of all entries that runs or has ended. An admin sees everybody's checks, others see their own.
 */
export async function findLastCheck({ site, caller, session }: SignedIn): Promise<string | undefined> {
  const job = await findLatestJob(site.store.read, ['running', 'done'], (query) => {
    const same = query.where('job.call', '=', callName(content.check)).where('job.arguments', '=', storedArguments)
    return includesTier(caller.tier, 'admin') ? same : same.where('job.account_id', '=', session.account.id)
  })
  return job?.id
}

export interface LastCheck {
  readonly job: JobItem
  /** Undefined while the check runs, and if it failed. */
  readonly checked: CheckReport | undefined
}

/** Returns a check by the id of its job. @throws Failure `not_found`, also for the job of another action */
export async function readCheck(visit: SignedIn, id: string): Promise<LastCheck | undefined> {
  const { item } = await get(visit, jobs.get, { id })
  if (item.call !== callName(content.check)) return undefined
  return { job: item, checked: item.state === 'done' ? (item.result as CheckReport) : undefined }
}

/** The findings of the last check of all entries; undefined without such a check. */
export async function lastFindings(visit: SignedIn): Promise<readonly ReportedFinding[]> {
  const id = await findLastCheck(visit)
  return (id === undefined ? undefined : (await readCheck(visit, id))?.checked?.items) ?? []
}

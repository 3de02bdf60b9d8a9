// The last check of the whole site: its job and its findings. A check is a job, and jobs are stored for a week.

import type { AnswerOf } from '../../actions/call/call-action.ts'
import { callName } from '../../actions/call/action.ts'
import { content } from '../../actions/content/index.ts'
import { findLastCheck } from '../../actions/content/last-check.ts'
import { jobs } from '../../actions/jobs/index.ts'
import { type JobItem } from '../../actions/jobs/job-item.ts'
import { get } from '../page.ts'
import type { SignedIn } from '../visit.ts'

export type CheckReport = AnswerOf<typeof content.check.output>
export type ReportedFinding = CheckReport['items'][number]

/** Returns the id of the newest check of the whole site that the person may see. */
export const lastCheckId = async ({ site, caller }: SignedIn): Promise<string | undefined> =>
  (await findLastCheck(site.store.read, caller))?.id

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
  const id = await lastCheckId(visit)
  return (id === undefined ? undefined : (await readCheck(visit, id))?.checked?.items) ?? []
}

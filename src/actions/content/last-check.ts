// The last check of the whole site. A check is a job, and jobs are stored for a week.

import { type Caller, includesTier } from '../../identity/caller.ts'
import { findLatestJob } from '../../jobs/job-store.ts'
import { jsonText } from '../../base/json.ts'
import type { JobRow } from '../../store/core/schema.ts'
import type { Db } from '../../store/core/database.ts'

/** The arguments of a check of the whole site. */
export const everyEntry = { where: {} } as const

/** The arguments as the row of a job stores them. */
const storedArguments = jsonText({ input: everyEntry, options: {} })

/**
 * Returns the newest check of the whole site that runs or has ended. An admin sees everybody's checks, others see their own
 * account's.
 */
export function findLastCheck(db: Db, { tier, account }: Caller): Promise<JobRow | undefined> {
  return findLatestJob(db, ['running', 'done'], (query) => {
    const same = query.where('job.call', '=', 'SVC_Content.check').where('job.arguments', '=', storedArguments)
    return includesTier(tier, 'admin') ? same : same.where('job.account_id', '=', account?.id ?? '')
  })
}

/** Returns the number of findings of the last check of the whole site; undefined without one. */
export async function countFindings(db: Db, caller: Caller): Promise<number | undefined> {
  const job = await findLastCheck(db, caller)
  return job?.state === 'done' && job.result !== null ? (JSON.parse(job.result) as { readonly total: number }).total : undefined
}

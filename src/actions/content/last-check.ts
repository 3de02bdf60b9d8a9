// The last check of the whole site. A check is a job, and jobs are stored for a week.

import { type Caller, includesTier } from '../../identity/caller.ts'
import { findJob, findLatestJob, findLatestJobId, type JobQuery } from '../../jobs/job-store.ts'
import { jsonText } from '../../base/json.ts'
import type { JobRow } from '../../store/core/schema.ts'
import type { Db } from '../../store/core/database.ts'

/** The arguments of a check of the whole site. */
export const everyEntry = { where: {} } as const

/** The arguments as the row of a job stores them. */
const storedArguments = jsonText({ input: everyEntry, options: {} })

const isWhole = (query: JobQuery): JobQuery =>
  query.where('job.call', '=', 'SVC_Content.check').where('job.arguments', '=', storedArguments)

/**
 * Returns the newest check of the whole site that runs or has ended. An admin sees everybody's checks, others see their own
 * account's.
 */
export function findLastCheck(db: Db, { tier, account }: Caller): Promise<JobRow | undefined> {
  return findLatestJob(db, ['running', 'done'], (query) =>
    includesTier(tier, 'admin') ? isWhole(query) : isWhole(query).where('job.account_id', '=', account?.id ?? ''),
  )
}

/**
 * Creates a function that returns how many findings the last check of the whole site had, whoever made it; undefined without one.
 * The answer of a check is long, so each is read once.
 */
export function createFindingCount(): (db: Db) => Promise<number | undefined> {
  let known: { readonly id: string; readonly total: number } | undefined
  return async (db) => {
    const id = await findLatestJobId(db, ['done'], isWhole)
    if (id === undefined) return undefined
    if (known?.id === id) return known.total
    const job = await findJob(db, id)
    if (!job || job.result === null) return undefined
    known = { id, total: (JSON.parse(job.result) as { readonly total: number }).total }
    return known.total
  }
}

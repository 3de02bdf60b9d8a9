// Plugins' jobs: run again and again by whichever process of the site is first to move a job's time on. One that fails is tried again at
// its next time. While no plugin has a job, no database is asked.

import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { repeat, type Repeating } from '../repeating.ts'
import type { Store } from '../store/database.ts'
import type { JobHandle } from './handle.ts'
import type { Plugins } from './plugins.ts'

/** What jobs need of a site. */
export interface JobSite {
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  readonly plugins: Pick<Plugins, 'active'>
}

const everyMs = 2000
/** One run of a job, in milliseconds. */
const timeoutMs = 60_000

/**
 * Starts looking, every two seconds; the timer keeps no process alive.
 * @param stopMs how long a stop waits for what runs: a job that takes longer ends with its process, when the site is closed
 */
export function startJobs(site: JobSite, stopMs = 5000): Repeating {
  const look = async () => {
    if (site.plugins.active.jobs.length > 0) await runDue(site)
  }
  const jobs = repeat(everyMs, look, (error) => site.log.error('plugin jobs failed', { error }))
  return {
    ...jobs,
    async stop() {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([jobs.stop(), new Promise<void>((resolve) => (timer = setTimeout(resolve, stopMs)))])
      clearTimeout(timer)
    },
  }
}

async function runDue(site: JobSite): Promise<void> {
  const due: JobHandle[] = []
  for (const job of site.plugins.active.jobs) if (await isTaken(site, job)) due.push(job)
  await Promise.all(due.map((job) => runOne(site, job)))
}

async function runOne({ log }: JobSite, { plugin, about, run }: JobHandle): Promise<void> {
  try {
    await run([], { timeoutMs })
  } catch (error) {
    log.warn('plugin job failed', { plugin, source: `plugin:${plugin}`, job: about.index, error })
  }
}

/** Whether a job is due and this process was the first to see it. A job that was never seen is due an interval from now. */
async function isTaken({ store, clock }: JobSite, { plugin, about }: JobHandle): Promise<boolean> {
  const now = clock.now()
  const row = await store.read
    .selectFrom('plugin_job')
    .select('next_at')
    .where('plugin_id', '=', plugin)
    .where('job', '=', about.index)
    .executeTakeFirst()
  const next = now + about.everyMs
  if (!row) {
    const first = { plugin_id: plugin, job: about.index, next_at: next }
    await store.write
      .insertInto('plugin_job')
      .values(first)
      .onConflict((on) => on.doNothing())
      .execute()
    return false
  }
  // Set back where the interval became shorter, or the clock was turned back.
  if (row.next_at > now && row.next_at <= next) return false
  const { numUpdatedRows } = await store.write
    .updateTable('plugin_job')
    .set({ next_at: next })
    .where('plugin_id', '=', plugin)
    .where('job', '=', about.index)
    .where('next_at', '=', row.next_at)
    .executeTakeFirst()
  return numUpdatedRows === 1n && row.next_at <= now
}

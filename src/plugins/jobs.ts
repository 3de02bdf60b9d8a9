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
 * Starts looking, every two seconds; the timer keeps no process alive. A job that is due is started and not waited for, so that none waits
 * for another; it is not due again before it has ended.
 * @param stopMs how long a stop waits for what runs: a job that takes longer ends with its process, when the site is closed
 */
export function startJobs(site: JobSite, stopMs = 5000): Repeating {
  const running = new Map<string, Promise<void>>()
  const look = async () => {
    const idle = site.plugins.active.jobs.filter(({ plugin, about }) => !running.has(keyOf(plugin, about.index)))
    if (idle.length === 0) return
    const times = await nextTimes(site)
    for (const job of idle) {
      const key = keyOf(job.plugin, job.about.index)
      if (!(await isTaken(site, job, times.get(key)))) continue
      const run = runOne(site, job).finally(() => running.delete(key))
      running.set(key, run)
    }
  }
  const jobs = repeat(everyMs, look, (error) => site.log.error('plugin jobs failed', { error }))
  return {
    ...jobs,
    async stop() {
      let timer: NodeJS.Timeout | undefined
      const ended = jobs.stop().then(() => Promise.all(running.values()))
      await Promise.race([ended, new Promise<void>((resolve) => (timer = setTimeout(resolve, stopMs)))])
      clearTimeout(timer)
    },
  }
}

const keyOf = (plugin: string, index: number): string => `${plugin} ${index}`

async function runOne({ log }: JobSite, { plugin, about, run }: JobHandle): Promise<void> {
  try {
    await run([], { timeoutMs })
  } catch (error) {
    log.warn('plugin job failed', { plugin, source: `plugin:${plugin}`, job: about.index, error })
  }
}

/** When each job is due that was ever seen, in UTC milliseconds. */
async function nextTimes({ store }: JobSite): Promise<ReadonlyMap<string, number>> {
  const rows = await store.read.selectFrom('plugin_job').selectAll().execute()
  return new Map(rows.map((row) => [keyOf(row.plugin_id, row.job), row.next_at]))
}

/** Whether a job is due and this process was the first to see it. A job that was never seen is due an interval from now. */
async function isTaken({ store, clock }: JobSite, { plugin, about }: JobHandle, due: number | undefined): Promise<boolean> {
  const now = clock.now()
  const next = now + about.everyMs
  if (due === undefined) {
    const first = { plugin_id: plugin, job: about.index, next_at: next }
    await store.write
      .insertInto('plugin_job')
      .values(first)
      .onConflict((on) => on.doNothing())
      .execute()
    return false
  }
  // Set back where the interval became shorter, or the clock was turned back.
  if (due > now && due <= next) return false
  const { numUpdatedRows } = await store.write
    .updateTable('plugin_job')
    .set({ next_at: next })
    .where('plugin_id', '=', plugin)
    .where('job', '=', about.index)
    .where('next_at', '=', due)
    .executeTakeFirst()
  return numUpdatedRows === 1n && due <= now
}

// Sending as recurring work. It looks hourly, and at once after each backup, so a backup of the command line is sent, too.

import type { Recurring } from '../../jobs/recurring.ts'
import type { Store } from '../../store/core/database.ts'
import type { Elsewhere } from './elsewhere.ts'
import { findTarget, sendTurnOf } from './target-store.ts'

const everyMs = 3_600_000
/** The time between an attempt that failed and the next. */
const retryMs = 15 * 60_000

/** The recurring work of a site that has a target. */
export async function sentBackups({
  store,
  elsewhere,
}: {
  readonly store: Pick<Store, 'engine' | 'read'>
  readonly elsewhere: Pick<Elsewhere, 'isDue' | 'send'>
}): Promise<readonly Recurring[]> {
  if (!(await findTarget(store.read))) return []
  const run = async (signal: AbortSignal) => ((await elsewhere.isDue()) ? elsewhere.send(signal) : null)
  return [{ ...sendTurnOf(store), everyMs, retryMs, afterStartMs: 60_000, run }]
}

// A clock that does not run backwards, so that expired tokens stay expired if the machine's clock is set back by up to a day.

import type { Clock } from '../base/clock.ts'
import type { Store } from '../store/core/database.ts'

/**
 * The largest step back that is ignored. After a larger one, the earlier time was probably wrong, and the clock is used as it is.
 */
const maxStepBackMs = 24 * 60 * 60 * 1000

/** Creates the clock. It starts from the latest time in the database, so that a restart doesn't set it back (attack 122). */
export async function createTimeFloor({ read }: Store, clock: Clock): Promise<Clock> {
  const activity = await read
    .selectFrom('activity')
    .select((eb) => eb.fn.max('at').as('at'))
    .executeTakeFirst()
  const use = await read
    .selectFrom('token_use')
    .select((eb) => eb.fn.max('used_at').as('at'))
    .executeTakeFirst()
  let latest = Math.max(activity?.at ?? 0, use?.at ?? 0)
  return {
    now() {
      const now = clock.now()
      if (now > latest || latest - now > maxStepBackMs) latest = now
      return latest
    },
  }
}

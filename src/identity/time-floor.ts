// A clock that doesn't run backwards by an hour: what has expired once stays expired when the machine's clock is set back.

import type { Clock } from '../clock.ts'
import type { Store } from '../store/database.ts'

/** A clock that was further ahead than this was wrong, and isn't believed afterwards. */
const maxStepBackMs = 24 * 60 * 60 * 1000

/** Starts from the latest moment that the database knows of, so that a restart changes nothing (ATTACKS 122). */
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

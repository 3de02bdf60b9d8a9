// Waits for what comes about by itself. How long that may take is no test's affair: a busy machine needs longer for everything.

import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until something is so; only what would never be fails, after some minutes. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const ends = Date.now() + 300_000; !(await isSo()); await sleep(20))
    if (Date.now() > ends) throw new Error(`Waited in vain: ${what}`)
}

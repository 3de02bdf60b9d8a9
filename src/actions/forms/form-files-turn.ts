// Removes the files of submissions whose days are over, and what a crash left of others.

import { sweepFiles } from '../../forms/form-files.ts'
import type { Recurring } from '../../jobs/recurring.ts'
import type { Services } from '../call/services.ts'

type Site = Pick<Services, 'store' | 'clock' | 'config'>

const everyMs = 10 * 60_000

export const formFilesTurn = ({ store, clock, config }: Site): Recurring => ({
  name: 'form files',
  call: 'SVC_Forms.erase',
  everyMs,
  run: async (signal) => ({ removed: await sweepFiles(config.POSTERN_HOME, store.read, clock.now(), signal) }),
})

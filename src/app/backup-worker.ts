// The thread in which a service makes or tests a backup. It does one job and ends. `backup/work.ts` starts it. The file is in
// `app/` because testing a backup opens a site.

import { parentPort, workerData } from 'node:worker_threads'
import { type Ended, type Job, plainFailure, workHere } from '../backup/work.ts'
import { systemClock } from '../base/clock.ts'

const port = parentPort
if (port === null) throw new Error('backup-worker.js is a worker of Postern; it does nothing on its own.')

const { name, order, config } = workerData as Job
const ending = new AbortController()
port.once('message', () => ending.abort())

const work = workHere(async (home) => {
  // Loaded here, because only a test needs the whole program.
  const { createTrySite } = await import('./compose.ts')
  await createTrySite(config, systemClock)(home)
})

const run = work[name] as (order: unknown) => Promise<unknown>
let ended: Ended
try {
  ended = { done: await run({ ...(order as object), signal: ending.signal }) }
} catch (error) {
  ended = { failure: plainFailure(error) }
}
port.postMessage(ended)
port.close()

// The cost of a create: `SVC_Content.create` over /api/, and in turn the bare transaction that it consists of, on a copy of the
// same database.

import { join } from 'node:path'
import autocannon from 'autocannon'
import { entryBody } from './cases.mjs'
import { leastOf, median } from './measure.mjs'
import { cpuMicros, startOther } from './servers.mjs'

/** Creates per second, and the slowest of a hundred in milliseconds. */
export const aims = { perSecond: 1000, p99: 20 }

const connections = 10

/**
 * @param service as servers.mjs starts it, on `home`
 * @param {{ home: string, token: string, rounds: number, seconds: number }} options
 * @returns for the service and the bare transaction: medians of creates per second and of their times in milliseconds, and the
 * least processor microseconds; and the median of the ratios of the rounds
 */
export async function measureCreates(service, { home, token, rounds, seconds }) {
  await loadCreates(service, token, Math.min(1, seconds))
  const bare = await startOther('bare-transaction.mjs')
  await bare.tell({ from: join(home, 'data', 'postern.db'), to: join(home, 'bare.db') })
  const found = { service: [], bare: [] }
  for (let round = 0; round < rounds; round++) {
    found.service.push(await loadCreates(service, token, seconds))
    found.bare.push((await bare.ask({ seconds })).took)
  }
  const middle = (name, field) => median(found[name].map((one) => one[field]))
  const told = (name) => ({
    ...Object.fromEntries(['perSecond', 'p50', 'p99'].map((field) => [field, middle(name, field)])),
    cpu: leastOf(found[name], 'cpu'),
  })
  const ratio = median(found.service.map(({ perSecond }, round) => perSecond / found.bare[round].perSecond))
  return { service: told('service'), bare: told('bare'), ratio }
}

/** Creates entries for some seconds. @returns creates per second, times in milliseconds, and processor microseconds per create */
export async function loadCreates({ address, pid }, token, seconds) {
  const cpuBefore = cpuMicros(pid)
  const began = performance.now()
  const { latency, statusCodeStats } = await autocannon({
    url: `${address}/api/`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ action: 'SVC_Content.create', type: 'post', title: 'New [<id>]', body: entryBody }),
    connections,
    duration: seconds,
    sampleInt: 100,
    idReplacement: true,
  })
  const tookSeconds = (performance.now() - began) / 1000
  const made = statusCodeStats[200]?.count ?? 0
  if (made === 0 || Object.keys(statusCodeStats).length > 1)
    throw new Error(`create: ${made} entries, statuses ${Object.keys(statusCodeStats).join(' ')}`)
  return { perSecond: made / tookSeconds, p50: latency.p50, p99: latency.p99, cpu: (cpuMicros(pid) - cpuBefore) / made }
}

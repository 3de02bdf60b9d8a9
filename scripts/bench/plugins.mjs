// The cost of plugins per call: five active plugins that have nothing to do with the call, and one that is asked before each call.

import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import { median } from './measure.mjs'
import { cpuMicros, startService } from './servers.mjs'
import { makeToken, postern } from './site.mjs'

/** The share of its throughput that a call should retain with five plugins. */
export const aim = 0.95

const idle = `export function activate(postern) {
  postern.filter('entry.html', (html) => html)
  postern.route('GET', '/hello', () => ({ body: 'hello' }))
}
`
const guard = `export function activate(postern) {
  postern.beforeDispatch(() => undefined)
}
`

/** The plugins of each site in the comparison. */
const sites = {
  none: [],
  idle: Array.from({ length: 5 }, (_, place) => [`idle-${place + 1}`, idle]),
  guarded: [['guard', guard]],
}

/**
 * @param {{ folder: string, rounds: number, seconds: number }} options folder: the place for homes and plugins
 * @returns medians of `welcome` without plugins, with five plugins, and through one: calls per second and the service's processor
 * microseconds per call; for the first two also the ratio within a round
 */
export async function measurePlugins({ folder, rounds, seconds }) {
  const running = {}
  for (const [name, plugins] of Object.entries(sites)) running[name] = await open(folder, plugins)
  const found = Object.fromEntries(Object.keys(sites).map((name) => [name, []]))
  for (const site of Object.values(running)) await load(site, Math.min(1, seconds))
  for (let round = 0; round < rounds; round++)
    for (const [name, site] of Object.entries(running)) found[name].push(await load(site, seconds))
  for (const { service } of Object.values(running)) await service.stop()
  const middle = (field) =>
    Object.fromEntries(Object.entries(found).map(([name, rates]) => [name, median(rates.map((rate) => rate[field]))]))
  const ratio = median(found.idle.map(({ perSecond }, round) => perSecond / found.none[round].perSecond))
  return { perSecond: middle('perSecond'), cpu: middle('cpu'), ratio }
}

async function open(folder, plugins) {
  const home = await mkdtemp(join(folder, 'plugins-'))
  const token = await makeToken(home)
  for (const [id, code] of plugins) {
    const source = join(folder, id)
    await mkdir(source, { recursive: true })
    await writeFile(join(source, 'plugin.json'), JSON.stringify({ id, name: id, version: '1.0.0', main: 'index.js' }))
    await writeFile(join(source, 'index.js'), code)
    await postern(home, ['plugin', 'install', source])
    await postern(home, ['plugin', 'activate', id])
  }
  const service = await startService({ home })
  for (const [id] of plugins) await fetch(`${service.address}/ext/${id}/hello`)
  return { service, token }
}

async function load({ service, token }, seconds) {
  const cpuBefore = cpuMicros(service.pid)
  const result = await autocannon({
    url: `${service.address}/api/`,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ action: 'SVC_API.welcome' }),
    connections: 10,
    duration: seconds,
    sampleInt: 100,
  })
  if (result.non2xx > 0 || result['2xx'] === 0)
    throw new Error(`plugins: ${result['2xx']} right answers, ${result.non2xx} others`)
  return { perSecond: result['2xx'] / result.duration, cpu: (cpuMicros(service.pid) - cpuBefore) / result['2xx'] }
}

// `node scripts/bench/processes.mjs`: the gain from a second process of a site on this machine. Measures pages and calls per
// second, and writes with their waiting times, with one process and with two, in turn. `--quick` gives rough numbers, `--json`
// prints JSON, `--processes N` measures N instead of two.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import { Client } from 'undici'
import { buildStale, checkNode, install, root } from '../ready.mjs'
import { pathOf } from './cases.mjs'
import { median } from './measure.mjs'
import { freePort, serviceEnv } from './servers.mjs'
import { fill, makeToken } from './site.mjs'

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    processes: { type: 'string', default: '2' },
  },
})
const pace = values.quick ? { entries: 200, seconds: 1, rounds: 2 } : { entries: 2000, seconds: 3, rounds: 3 }
const counts = [1, Number(values.processes)]
const writers = [1, 2, 8]

checkNode()
await install(true)
await buildStale()
const home = await mkdtemp(join(tmpdir(), 'postern-bench-'))
try {
  const token = await makeToken(home)
  const first = await start(1)
  await fill(first.address, token, pace.entries)
  await first.stop()
  const found = await measureAll(token)
  if (values.json) process.stdout.write(`${JSON.stringify(found, undefined, 2)}\n`)
  else print(found)
} finally {
  await rm(home, { recursive: true, force: true })
}

/** Each round measures one process and then several, so that a slow moment of the machine affects both. */
async function measureAll(token) {
  const rounds = Object.fromEntries(counts.map((count) => [count, []]))
  for (let round = 0; round < pace.rounds; round++) {
    for (const count of counts) {
      const service = await start(count)
      rounds[count].push({ ...(await measureReads(service, token)), ...(await measureWrites(service, count, token)) })
      await service.stop()
    }
  }
  const cases = Object.keys(rounds[1][0])
  return cases.map((name) => ({
    name,
    ...Object.fromEntries(counts.map((count) => [count, middle(rounds[count].map((round) => round[name]))])),
  }))
}

function middle(all) {
  return Object.fromEntries(Object.keys(all[0]).map((field) => [field, median(all.map((one) => one[field]))]))
}

async function measureReads({ address }, token) {
  const authorization = `Bearer ${token}`
  const get = { action: 'SVC_Content.get', id: pathOf(7) }
  const asked = {
    page: { path: pathOf(7) },
    'API get': {
      path: '/api/',
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(get),
    },
  }
  const found = {}
  for (const [name, request] of Object.entries(asked)) {
    const load = (seconds) => autocannon({ url: address, connections: 32, duration: seconds, requests: [request] })
    await load(0.5)
    const { requests, latency, non2xx } = await load(pace.seconds)
    if (non2xx > 0) throw new Error(`${name}: ${non2xx} answers other than 200`)
    found[name] = { perSecond: requests.average, p50: latency.p50, p99: latency.p99 }
  }
  return found
}

/** Writers that each wait for their answer, with the same number at each process. */
async function measureWrites({ address }, count, token) {
  const found = {}
  for (const number of writers) {
    const clients = []
    for (let at = 0; at < number; at++) clients.push(await connect(address, count === 1 ? undefined : (at % count) + 1))
    const waits = []
    const began = performance.now()
    const ends = began + pace.seconds * 1000
    await Promise.all(
      clients.map(async (client) => {
        while (performance.now() < ends) {
          const asked = performance.now()
          await create(client, token)
          waits.push(performance.now() - asked)
        }
      }),
    )
    const seconds = (performance.now() - began) / 1000
    waits.sort((a, b) => a - b)
    const at = (part) => waits[Math.min(waits.length - 1, Math.floor(waits.length * part))]
    found[`create, ${number} writer${number === 1 ? '' : 's'}`] = {
      perSecond: waits.length / seconds,
      p50: at(0.5),
      p99: at(0.99),
      max: at(1),
    }
    await Promise.all(clients.map((client) => client.close()))
  }
  return found
}

async function create(client, token) {
  const answer = await client.request({
    path: '/api/',
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ action: 'SVC_Content.create', type: 'post', title: `Post ${Math.random()}`, body: 'A short text.' }),
  })
  const text = await answer.body.text()
  if (answer.statusCode !== 200) throw new Error(`create answers ${answer.statusCode} ${text.slice(0, 300)}`)
}

/** A connection to the process of this number. */
async function connect(address, number) {
  const others = []
  for (;;) {
    const client = new Client(address, { pipelining: 1 })
    const { body } = await client.request({ path: '/healthz', method: 'GET' })
    const text = await body.text()
    if (number === undefined || text.includes(`process: ${number}\n`)) {
      await Promise.all(others.map((other) => other.close()))
      return client
    }
    // The connection stays open, so that the next one sooner reaches another process.
    others.push(client)
  }
}

async function start(count) {
  const port = await freePort()
  const env = {
    ...serviceEnv(home, port),
    POSTERN_LOG_LEVEL: 'info',
    POSTERN_PROCESSES: String(count),
    POSTERN_MAX_REQUESTS_PER_SOCKET: '1000000',
  }
  const child = spawn(process.execPath, [join(root, 'dist', 'main.js')], { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })
  let listening = 0
  await new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`The service ended with ${code}.`)))
    createInterface({ input: child.stdout }).on(
      'line',
      (line) => line.includes('"listening"') && ++listening === count && resolve(),
    )
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  return { address: `http://127.0.0.1:${port}`, stop }
}

function print(found) {
  const [one, several] = counts
  process.stdout.write(`per second, p50 and p99 in ms    ${one} process              ${several} processes            ratio\n`)
  for (const { name, ...by } of found) {
    const told = counts.map(
      (count) =>
        `${by[count].perSecond.toFixed(0).padStart(6)} ${by[count].p50.toFixed(1).padStart(6)} ${by[count].p99.toFixed(1).padStart(7)}`,
    )
    process.stdout.write(`${name.padEnd(30)} ${told.join('   ')}    ${(by[several].perSecond / by[one].perSecond).toFixed(2)}\n`)
  }
}

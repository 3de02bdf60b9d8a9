// `npm run bench`: measures how fast the built service answers, compared with a bare `node:http` server and the official SDK's,
// in one run. `--only CASE` runs one case and can be repeated. `--quick` gives rough numbers. `--json` prints JSON. `--profile
// DIR` writes and summarises a V8 profile. `--entries N` instead measures how the time of reads and creates grows with the
// entries of a site, and can be repeated. `--uploads` instead measures the cost of uploading photos. `--against PATH` compares
// with the service of another checkout, in pairs of short rounds; `--rounds N` sets their number.

import { mkdirSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { cases, entryCount } from './bench/cases.mjs'
import { measureCreates } from './bench/creates.mjs'
import { measureGrowth } from './bench/growth.mjs'
import { loadHome } from './bench/home.mjs'
import { leastOf, measure, median } from './bench/measure.mjs'
import { costs } from './bench/profile.mjs'
import { measurePairs } from './bench/pairs.mjs'
import { measurePlugins } from './bench/plugins.mjs'
import {
  growthPrinter,
  printCase,
  printCreates,
  printHead,
  printHome,
  printPlugins,
  printUploads,
  printWhole,
} from './bench/report.mjs'
import { residentMb, restingMb, startOther, startService, stopAll } from './bench/servers.mjs'
import { fill, makeToken } from './bench/site.mjs'
import { measureUploads } from './bench/uploads.mjs'
import { buildStale, checkNode, install } from './ready.mjs'

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    entries: { type: 'string', multiple: true },
    uploads: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    profile: { type: 'string' },
    against: { type: 'string' },
    rounds: { type: 'string' },
  },
})
const pace = values.quick
  ? { count: 1000, rounds: 3, seconds: 0.5, starts: 3 }
  : { count: entryCount, rounds: 3, seconds: 2, starts: 5 }
const chosen = values.only ? cases.filter(({ name }) => values.only.includes(name)) : cases
/** The plugin case compares the service with itself, not with a bare server. */
const withPlugins = values.only === undefined || values.only.includes('plugins')
const withCreates = values.only === undefined || values.only.includes('create')
const withHome = values.only === undefined || values.only.includes('home')
const names = [...cases.map(({ name }) => name), 'create', 'home', 'plugins']
const unknown = (values.only ?? []).filter((name) => !names.includes(name))
if (unknown.length > 0) {
  process.stderr.write(`There is no case ${unknown.join(', ')}. The cases: ${names.join(', ')}\n`)
  process.exit(2)
}

const sizes = (values.entries ?? []).map(Number)
if (sizes.some((size) => !Number.isInteger(size) || size < 1000)) {
  process.stderr.write('--entries takes a whole number from 1,000 on, such as 100000.\n')
  process.exit(2)
}

/** The whole benchmark ends after this time. A site of a million entries is made in about ten minutes. */
const longestMs = sizes.length > 0 || values.against !== undefined ? 3_600_000 : 420_000

checkNode()
await install(true)
await buildStale()
const home = await mkdtemp(join(tmpdir(), 'postern-bench-'))
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void end(130))
setTimeout(() => void end(1, 'The benchmark took too long.'), longestMs).unref()
try {
  const report = await measureChosen()
  if (values.json) process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
  await end(0)
} catch (error) {
  await end(1, error.message)
}

async function end(code, words) {
  if (words) process.stderr.write(`${words}\n`)
  await stopAll()
  await rm(home, { recursive: true, force: true })
  process.exit(code)
}

function measureChosen() {
  if (values.uploads) return measureUploads(home, values.json ? undefined : printUploads)
  if (sizes.length > 0) return measureGrowth(sizes, values.json ? undefined : growthPrinter)
  return bench()
}

async function bench() {
  const profileDir = values.profile && resolve(values.profile)
  if (profileDir) mkdirSync(profileDir, { recursive: true })
  if (values.against === undefined) return alone(profileDir)
  const rounds = Number(values.rounds ?? 10)
  const options = { folder: home, tree: resolve(values.against), print: !values.json, profileDir }
  const { results, trees } = await measurePairs(
    chosen,
    { creates: withCreates, home: withHome },
    { ...options, count: pace.count, rounds, seconds: 1 },
  )
  if (profileDir) process.stdout.write(costs(profileDir))
  return { trees, cases: results.map(({ one: { name, aim }, ...rest }) => ({ name, aim, ...rest })) }
}

async function alone(profileDir) {
  const token = await makeToken(home)
  const first = await startService({ home })
  const began = performance.now()
  await fill(first.address, token, pace.count)
  const filled = { entries: pace.count, seconds: (performance.now() - began) / 1000 }
  await first.stop()
  const starts = await measureStarts()

  const service = await startService({ home, profileDir })
  const restMb = await restingMb(service)
  const servers = { service, bare: await startOther('bare-server.mjs'), sdk: await startOther('sdk-server.mjs') }
  const results = []
  if (!values.json) printHead(pace)
  for (const one of chosen) {
    const result = await measure(one, servers, { ...pace, token, home })
    results.push(result)
    if (!values.json) printCase(result)
  }
  const creates = withCreates ? await measureCreates(service, { ...pace, token, home }) : undefined
  if (creates && !values.json) printCreates(creates)
  const homes = []
  if (withHome) for (let round = 0; round < 10; round++) homes.push(await loadHome(service, token))
  const homeMs = withHome ? leastOf(homes, 'cpu') / 1000 : undefined
  if (withHome && !values.json) printHome(homeMs)
  const whole = { filled, startMs: median(starts), restMb, loadedMb: residentMb(service.pid) }
  if (!values.json) printWhole(whole)
  await service.stop()
  if (profileDir) process.stdout.write(costs(profileDir))
  const plugins = withPlugins ? await measurePlugins({ ...pace, folder: home }) : undefined
  if (plugins && !values.json) printPlugins(plugins)
  return {
    ...whole,
    creates,
    homeMs,
    plugins,
    cases: results.map(({ one: { name, aim, sdkAim }, ...rest }) => ({ name, aim, sdkAim, ...rest })),
  }
}

async function measureStarts() {
  const found = []
  for (let start = 0; start < pace.starts; start++) {
    const service = await startService({ home })
    found.push(service.startMs)
    await service.stop()
  }
  return found
}

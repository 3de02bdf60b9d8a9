// Compares the service of this checkout with another checkout's, in pairs: short rounds of both and of a bare server in turn, so
// that a slow moment of the machine affects all three. On a noisy machine the least processor time per request says more than the
// requests per second.

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { loadCreates } from './creates.mjs'
import { loadHome } from './home.mjs'
import { leastOf, measure } from './measure.mjs'
import { printPair, printPairsHead, printPairOfTrees } from './report.mjs'
import { cpuMicros, restingMb, startOther, startService } from './servers.mjs'
import { fill, makeToken } from './site.mjs'

/**
 * Measures cases in pairs, and then creates, the home page after a publication, starts and memory at rest. The other checkout is
 * built, makes the site and fills it; this one runs on a copy, which it may migrate.
 * @param cases rows of cases.mjs; rows that need a preparation are left out
 * @param {{ creates: boolean, home: boolean }} more true to measure creates and the home page
 * @param {{ folder: string, tree: string, count: number, rounds: number, seconds: number, print: boolean, profileDir?: string }}
 * options folder: the place for the homes; tree: the other checkout
 * @returns the result of `measure` per case; and per figure its least value of this checkout and of the other
 */
export async function measurePairs(cases, more, { folder, tree, print, profileDir, ...pace }) {
  await promisify(execFile)(process.execPath, [join(tree, 'scripts', 'build.mjs')], { cwd: tree })
  const homes = { against: join(folder, 'against'), service: join(folder, 'service') }
  const token = await makeToken(homes.against, tree)
  const first = await startService({ home: homes.against, tree })
  await fill(first.address, token, pace.count)
  await first.stop()
  await cp(homes.against, homes.service, { recursive: true })
  const servers = {
    service: await startService({ home: homes.service, profileDir }),
    against: await startService({ home: homes.against, tree }),
    bare: await startOther('bare-server.mjs'),
  }
  if (print) printPairsHead(pace)
  const results = []
  for (const one of cases.filter(({ open }) => !open)) {
    const result = await measure(one, servers, { ...pace, token, home: homes.service })
    results.push(result)
    if (print) printPair(result)
  }
  const trees = []
  const tell = (what, unit, [service, against]) => {
    trees.push({ what, unit, service, against })
    if (print) printPairOfTrees(trees.at(-1))
  }
  const both = [servers.service, servers.against]
  const tellLeast = async (what, load) => {
    const found = [[], []]
    for (let round = 0; round < pace.rounds; round++)
      for (const [place, server] of both.entries()) found[place].push(await load(server))
    tell(
      what,
      'µs',
      found.map((rounds) => leastOf(rounds, 'cpu')),
    )
  }
  if (more.creates) await tellLeast('a create', (server) => loadCreates(server, token, pace.seconds))
  if (more.home) await tellLeast('home after a publication', (server) => loadHome(server, token))
  for (const server of both) await server.stop()
  const starts = [[], []]
  for (let round = 0; round < pace.rounds; round++)
    for (const [place, options] of [{ home: homes.service }, { home: homes.against, tree }].entries()) {
      const started = await startService(options)
      starts[place].push({ startCpu: cpuMicros(started.pid), restMb: round < 3 ? await restingMb(started) : Infinity })
      await started.stop()
    }
  tell(
    'a start',
    'µs',
    starts.map((rounds) => leastOf(rounds, 'startCpu')),
  )
  tell(
    'memory at rest',
    'MB',
    starts.map((rounds) => leastOf(rounds, 'restMb')),
  )
  return { results, trees }
}

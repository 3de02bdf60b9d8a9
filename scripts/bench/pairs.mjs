// Compares the service of this checkout with that of another one, in pairs: short rounds of both and of a bare server in turn, so that a slow moment of
// the machine affects all three. On a noisy machine the processor time per request says more than the requests per second.

import { execFile } from 'node:child_process'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { measure } from './measure.mjs'
import { printPair, printPairsHead } from './report.mjs'
import { startOther, startService } from './servers.mjs'
import { fill, makeToken } from './site.mjs'

/**
 * Measures cases in pairs. The other checkout is built, makes the site and fills it; this one runs on a copy, which it may migrate.
 * @param cases rows of cases.mjs; those that must first make something of their own are left out
 * @param {{ folder: string, tree: string, count: number, rounds: number, seconds: number, print: boolean, profileDir?: string }} options folder: where
 *   the homes are made; tree: the other checkout
 * @returns what `measure` returns, per case
 */
export async function measurePairs(cases, { folder, tree, print, profileDir, ...pace }) {
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
  await servers.service.stop()
  return results
}

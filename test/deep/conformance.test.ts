// The protocol's own conformance suite against the built service, for both eras. What a server of three tools can't answer (the suite's
// fixtures: tools, prompts and resources of its own) is named in the lists beside this file; one that is named and passes fails the run.

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSite, root } from '../site.ts'
import { openSuite, withResults } from './conformance-suite.ts'
import { openTokenProxy } from './token-proxy.ts'

const bounded = { timeout: 240_000 }

/** Runs the suite's server part on a fresh site, through a proxy that signs in. */
async function check(args: readonly string[]): Promise<{ code: number; said: string }> {
  const suite = await openSuite()
  await using site = await openSite({ env: { POSTERN_RATE_LIMITS: 'off' } })
  await using proxy = await openTokenProxy(site.port, site.token)
  // Awaited here: what is returned as a promise would find site and proxy gone.
  return await withResults((folder) => suite(['server', '--url', `${proxy.address}/mcp/`, '-o', folder, ...args]))
}

for (const revision of ['2025-11-25', '2026-07-28']) {
  test(`The official conformance suite finds nothing amiss for ${revision} but its own fixtures missing`, bounded, async () => {
    const expected = join(root, 'test', 'deep', `conformance-${revision}.yml`)
    const { code, said } = await check(['--requirements', revision, '--expected-failures', expected])
    assert.equal(code, 0, said.slice(-8000))
  })
}

test('The official conformance suite finds every header rule of 2026-07-28 held', bounded, async () => {
  const { code, said } = await check(['--scenario', 'http-header-validation'])
  assert.equal(code, 0, said.slice(-8000))
  assert.match(said, /14\/14|Passed: 14/)
})

// The conformance suite's scenarios of authorization servers against the built service: the suite prints the address that a person would
// open, and the owner walks from there through sign-in and consent back to it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { letIn } from '../admin/let-in.ts'
import { freePort } from '../free-port.ts'
import { register } from '../doors/oauth/flow.ts'
import { openSite, type TestSite } from '../site.ts'
import { openSuite, withResults } from './conformance-suite.ts'

const bounded = { timeout: 240_000 }

/** Walks to the suite's own callback, whatever happens: it would wait there for minutes. Resolves to what went wrong. */
async function walk(site: TestSite, address: string, callback: string): Promise<unknown> {
  try {
    await (await fetch(await letIn(site, address))).text()
    return undefined
  } catch (error) {
    await fetch(`${callback}?error=server_error`)
    return error
  }
}

for (const { where, basePath } of [
  { where: 'at the root', basePath: '' },
  { where: 'in a subdirectory', basePath: '/blog' },
]) {
  for (const slash of ['/mcp/', '/mcp']) {
    test(`The official conformance suite finds nothing amiss with the sign-in ${where}, for ${slash}`, bounded, async () => {
      const suite = await openSuite()
      await using site = await openSite({ basePath, env: { POSTERN_RATE_LIMITS: 'off' } })
      const port = await freePort()
      const callback = `http://127.0.0.1:${port}/callback`
      const clientId = await register(site, { redirect_uris: [callback] })
      const target = ['--url', site.base, '--client-id', clientId, '--resource', site.base + slash, '--port', String(port)]
      let walked: Promise<unknown> | undefined
      const { code, said } = await withResults((folder) =>
        suite(['authorization', ...target, '-o', folder], (soFar) => {
          const [address] = /http:\/\/\S+\/oauth\/authorize\?\S+(?=\s)/.exec(soFar) ?? []
          if (address !== undefined && soFar.includes('Callback server started')) walked ??= walk(site, address, callback)
        }),
      )
      assert.ifError(await walked)
      assert.equal(code, 0, said.slice(-8000))
      assert.match(said, /authorization-server-metadata-endpoint: 1 passed, 0 failed/)
      assert.match(said, /authorization-code-grant: 1 passed, 0 failed/)
    })
  }
}

// A page that can't be read now: 503 with a time to come again, in the form of the door that was asked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/failure.ts'
import { doorFailure } from '../../src/routes.ts'
import { openTestSite } from '../identity/open-test-site.ts'

const doors: readonly (readonly [door: string, path: string, form: RegExp])[] = [
  ['site', '/about', /^text\/html/],
  ['api', '/api/', /^application\/json/],
  ['mcp', '/mcp/', /^application\/json/],
  ['oauth', '/oauth/token', /^application\/json/],
  ['discovery', '/.well-known/oauth-authorization-server', /^application\/json/],
  ['admin', '/admin/', /^text\/html/],
]

test('attack 135: where the database has too much to do, each door says 503 in its own form, and not 500', async (t) => {
  await using opened = await openTestSite()
  const { read } = opened.site.store
  // Every reader of pages is taken: whoever comes next waits, in vain.
  let letGo = (): void => undefined
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const taken = [1, 2].map(() => read.connection().execute(() => held))
  const asked = read.selectFrom('entry').select('id').execute()
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  letGo()
  await Promise.all(taken)
  assert.ok(error instanceof Failure)
  for (const [door, path, form] of doors)
    await t.test(path, () => {
      const { status, headers } = doorFailure(opened.site)(error, { door, path, reference: 'r1' })
      assert.equal(status, 503)
      assert.ok(Number(headers['retry-after']) > 0)
      assert.match(String(headers['content-type']), form)
    })
})

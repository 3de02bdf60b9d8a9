// A page that can't be read now: 503 with a time to come again, in the form of the door that was asked.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Failure } from '../../src/base/failure.ts'
import { HttpFailure } from '../../src/http/failure.ts'
import type { Reply } from '../../src/http/reply.ts'
import { failureReply } from '../../src/doors/rest/failure.ts'
import { doorFailure } from '../../src/app/routes.ts'
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
    await t.test(path, async () => {
      const { status, headers, body } = await doorFailure(opened.site)(error, { door, path, reference: 'r1' })
      assert.equal(status, 503)
      assert.ok(Number(headers['retry-after']) > 0)
      assert.match(String(headers['content-type']), form)
      if (door === 'api' || door === 'mcp') assert.equal(String(waitIn(body)), headers['retry-after'])
    })
})

/** `retry_after` of an answer of `/api/` or `/mcp/`. */
function waitIn(body: Reply['body']): number | undefined {
  const text = body && ('text' in body ? body.text : 'bytes' in body ? Buffer.from(body.bytes).toString('utf8') : undefined)
  const { error } = JSON.parse(text ?? '') as { error: { retry_after?: number; data?: { retry_after?: number } } }
  return error.retry_after ?? error.data?.retry_after
}

for (const code of ['unavailable', 'rate_limited'] as const)
  for (const seconds of [undefined, 1, 77])
    test(`${code}, ${seconds ?? 'no'} seconds: header and failure say the same time to wait`, async () => {
      await using opened = await openTestSite()
      const failure = new Failure(code, 'Later.', seconds === undefined ? {} : { retry_after: seconds })
      const expected = failure.detail.retry_after
      assert.ok(expected !== undefined && expected > 0)
      const below = new HttpFailure(code, 'Later.', undefined, { retryAfterSeconds: seconds })
      for (const [door, path] of [
        ['api', '/api/'],
        ['mcp', '/mcp/'],
      ] as const) {
        const { headers, body } = await doorFailure(opened.site)(below, { door, path, reference: 'r1' })
        assert.deepEqual([headers['retry-after'], waitIn(body)], [String(expected), expected])
      }
      const { headers, body } = failureReply(failure, {})
      assert.deepEqual([headers['retry-after'], waitIn(body)], [String(expected), expected])
    })

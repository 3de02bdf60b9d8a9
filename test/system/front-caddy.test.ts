// Caddy as `postern nginx --for caddy` configures it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEcho } from '../echo.ts'
import { hidden } from '../front-send.ts'
import { openFront } from '../front.ts'
import { testDoors } from '../front-doors.ts'

testDoors('caddy', ['/a%2Fb', '//x//y', '/a/../b', '/a%20b?x=%2F&y=//z', '/p;a=b', '/caf%C3%A9'])

test('caddy: the log holds no secret', async () => {
  await using echo = await openEcho()
  await using front = await openFront({ kind: 'caddy', upstream: echo.port })
  const headers = { authorization: 'Bearer s3cret', cookie: 'postern=s3cret', referer: 'https://a/?code=s3cret' }
  await front.raw('/oauth/authorize?code=s3cret', { headers })
  for (const path of hidden('s3cret')) await front.raw(path, { headers })
  const log = await front.accessLog()
  assert.match(log, /\/oauth\/authorize/)
  assert.doesNotMatch(log, /s3cret/)
})

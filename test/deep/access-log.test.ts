// The access log from outside: a line for each request, none of them with a secret, none of them in the error log.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSite, type ProcessSite, type TestSite } from '../site.ts'
import { until } from '../until.ts'

const env = { POSTERN_ACCESS_LOG: 'on' }

type Line = Readonly<Record<string, unknown>>

/** Stops the site, after which all lines are written, and gives those of requests. */
async function linesOf(site: TestSite): Promise<Line[]> {
  await site.stop()
  return site.log.map((line) => JSON.parse(line) as Line).filter(({ event }) => event === 'request')
}

test('each request leaves one line that says what was asked, what was answered and to whom', async () => {
  await using site = await openSite({ env })
  await site.send('/', { token: null })
  await site.call('SVC_API.welcome')
  await site.send('/nowhere', { token: null, method: 'HEAD' })
  const lines = await linesOf(site)
  const told = lines.map(({ door, method, path, status }) => [door, method, path, status])
  assert.deepEqual(told, [
    ['site', 'GET', '/', 200],
    ['api', 'POST', '/api/', 200],
    ['site', 'HEAD', '/nowhere', 404],
  ])
  for (const { at, level, client, id, bytes, ms } of lines) {
    assert.match(String(at), /^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    assert.deepEqual([level, client], ['info', '127.0.0.1'])
    assert.match(String(id), /^\w+-\w+$/)
    assert.ok(typeof bytes === 'number' && typeof ms === 'number')
  }
  assert.equal(lines[2]?.['bytes'], 0)
})

test('the client of a request that a proxy forwards is the one that the proxy names', async () => {
  await using site = await openSite({ bare: true, env })
  await site.send('/', { headers: { 'x-forwarded-for': '192.0.2.7', host: 'example.org' } })
  assert.equal((await linesOf(site))[0]?.['client'], '192.0.2.7')
})

test('attacks 73, 123: no query, token, cookie, code or password gets into the log', async () => {
  await using site = await openSite({ env })
  const secret = 'hunter2secret'
  await site.send(`/oauth/authorize?code=${secret}&client_id=${secret}&state=${secret}`)
  await site.send(`/mcp/?access_token=${secret}`, { method: 'POST', body: '{}' })
  await site.send(`/${site.token}/x`)
  await site.send(`/password=${secret}`)
  await site.send('/', { headers: { cookie: `postern=${secret}`, authorization: `Bearer ${secret}` } })
  await site.send('/admin/sign-in', { method: 'POST', body: `email=a%40b&password=${secret}` })
  const lines = await linesOf(site)
  assert.equal(lines.length, 6)
  assert.ok(!site.log.join('\n').includes(secret))
  assert.ok(!site.log.join('\n').includes(site.token))
  assert.equal(lines[2]?.['path'], '/pst_…/x')
})

test('attack 123: whatever a path holds, it is one line, and one that is refused for it is not repeated', async () => {
  await using site = await openSite({ bare: true, env })
  await site.send('/%e2%80%ae%22%5c')
  await site.send('/a%0d%0a%1b%5b31m')
  const lines = await linesOf(site)
  assert.deepEqual(
    lines.map(({ path, status }) => [path, status]),
    [
      ['/%e2%80%ae%22%5c', 404],
      [undefined, 400],
    ],
  )
})

test('what no request could be made of is a line too', async () => {
  await using site = await openSite({ bare: true, env })
  const socket = connect(site.port, '127.0.0.1')
  socket.end('NONSENSE\r\n\r\n')
  for await (const _part of socket) continue
  const [line] = await linesOf(site)
  assert.deepEqual([line?.['door'], line?.['status'], line?.['client']], ['none', 400, '127.0.0.1'])
  assert.ok(line && !('path' in line))
})

test('requests never get into the error log', async () => {
  await using site = await openSite({ bare: true, env })
  await site.send('/nowhere')
  assert.equal((await linesOf(site)).length, 1)
  const kept = await readFile(join(site.home, 'user-content', 'logs', 'postern-errors.log'), 'utf8').catch(() => '')
  assert.doesNotMatch(kept, /"event":"request"/)
})

test('unless it is asked for, no request leaves a line', async () => {
  await using site = await openSite()
  await site.send('/')
  assert.deepEqual(await linesOf(site), [])
})

test('the lines go to standard output of the process', async () => {
  await using site: ProcessSite = await openSite({ bare: true, ownProcess: true, env })
  await site.send('/')
  await site.stop()
  // A process may end before the test has read its last line.
  await until('all is read', () => site.process.stdout?.readableEnded !== false)
  assert.equal(site.log.filter((line) => line.includes('"event":"request"')).length, 1)
})

test('whoever reads the log may stop reading: the site goes on, and ends as it should', async () => {
  await using site = await openSite({ bare: true, ownProcess: true, env })
  site.process.stdout?.destroy()
  site.process.stderr?.destroy()
  // As many as are held back at most, twice.
  for (let at = 0; at < 512; at++) assert.equal((await site.send('/healthz')).status, 200)
  assert.equal((await site.send('/readyz')).status, 200)
  assert.equal(await site.stop(), 0)
})

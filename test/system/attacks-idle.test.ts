// Attack 124: sockets that say nothing, or half a header, against the running service; at its full size of five thousand in a deep run.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeep } from '../deep-run.ts'
import { openSite, type TestSite } from '../site.ts'

const count = isDeep ? 5000 : 1000

let site: TestSite
before(async () => (site = await openSite({ ownProcess: true, env: { POSTERN_HEADERS_SECONDS: '2' } })))
after(() => site[Symbol.asyncDispose]())

/** Opens sockets, some hundred at a time, each with a few bytes of a request or none. */
async function openIdle(): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const some = Array.from({ length: 250 }, () => connect(site.port, '127.0.0.1'))
    await Promise.all(some.map((socket) => once(socket, 'connect')))
    for (const [at, socket] of some.entries()) {
      socket.on('error', () => undefined)
      socket.resume()
      if (at % 2 === 0) socket.write('POST /mcp/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ')
    }
    sockets.push(...some)
  }
  return sockets
}

test(`attack 124: ${count} idle sockets are closed on their deadline, and others are served meanwhile`, async () => {
  const sockets = await openIdle()
  try {
    const open = () => sockets.filter((socket) => !socket.closed).length
    const deadline = Date.now() + 90_000
    let asked = 0
    while (open() > 0 && Date.now() < deadline) {
      const answer = await site.api('SVC_API.welcome')
      assert.equal(answer.status, 200, answer.text)
      asked += 1
      await sleep(100)
    }
    assert.equal(open(), 0, 'some sockets were kept beyond their deadline')
    assert.ok(asked > 0)
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  assert.equal((await site.api('SVC_API.welcome')).status, 200)
})

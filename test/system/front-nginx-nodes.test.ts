// nginx as `postern nginx` configures it for several nodes: a caller stays with one node, a node that dies is passed over, and no POST is sent twice.
// Two real services on one home are the nodes, and a program that ends each connection in the middle of a request is one that dies.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { type Front, needFront, openFront } from '../front.ts'
import { postern } from '../postern.ts'
import { openSite, type ProcessSite } from '../site.ts'
import { until } from '../until.ts'

let nodes: readonly [ProcessSite, ProcessSite]
let front: Front
before(async () => {
  needFront()
  const env = { POSTERN_ACCESS_LOG: 'on', POSTERN_ALLOWED_HOSTS: 'localhost' }
  const one = await openSite({ ownProcess: true, env })
  nodes = [one, await openSite({ home: one.home, ownProcess: true, env })]
  front = await openFront({ upstream: nodes.map(({ port }) => port), home: one.home })
})
after(async () => {
  await front[Symbol.asyncDispose]()
  for (const node of nodes.toReversed()) await node[Symbol.asyncDispose]()
})

const servedBy = (node: ProcessSite, path: string): number =>
  node.log.filter((line) => line.includes('"event":"request"') && line.includes(`"${path}"`)).length

/** Sends GETs of a path that nobody else asks for. @returns how many of them each node got */
async function spread(path: string, headersOf: (at: number) => Readonly<Record<string, string>>): Promise<readonly number[]> {
  const many = 24
  for (let at = 0; at < many; at++) assert.equal((await front.send(path, { headers: headersOf(at) })).status, 404)
  const counts = () => nodes.map((node) => servedBy(node, path))
  // The lines of the access log are written in batches.
  await until('every request is in a log', () => counts().reduce((sum, count) => sum + count) === many)
  return counts()
}

test('a token stays with one node, other tokens go to the other one as well; so do sessions and addresses', async () => {
  const bearer = (text: string) => ({ authorization: `Bearer ${text}` })
  assert.deepEqual([...(await spread('/same-token', () => bearer('pst_one')))].sort(), [0, 24])
  assert.ok((await spread('/many-tokens', (at) => bearer(`pst_${at}`))).every((count) => count > 0))
  // One password for the whole site says nothing about the caller.
  const session = (at: number) => ({ authorization: 'Basic eDp5', cookie: `a=b; postern=session-${at}; postern-known=k` })
  assert.deepEqual([...(await spread('/same-session', () => session(1)))].sort(), [0, 24])
  assert.ok((await spread('/many-sessions', session)).every((count) => count > 0))
  assert.deepEqual([...(await spread('/same-address', (at) => ({ cookie: `other=${at}` })))].sort(), [0, 24])
})

/** A node that takes a request and ends the connection. */
async function openDying() {
  const taken: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (part: Buffer) => {
      taken.push(part.toString().split(' ')[0] ?? '')
      socket.destroy()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, taken, [Symbol.asyncDispose]: async () => void server.close() }
}

test('a node that dies in the middle: a GET is answered by the other node, and a POST is never sent twice', async () => {
  await using dying = await openDying()
  const [alive] = nodes
  await using both = await openFront({ upstream: [dying.port, alive.port], home: alive.home })
  const sent = { method: 'POST', body: '{"action":"SVC_API.welcome"}', headers: { 'content-type': 'application/json' } }
  const statuses: Record<string, number> = {}
  // Whose turn it is depends on the token. After two failures nginx leaves a node out.
  for (let at = 0; dying.taken.filter((method) => method === 'POST').length === 0 && at < 40; at++) {
    const answer = await both.send('/api/', { ...sent, headers: { ...sent.headers, authorization: `Bearer pst_${at}` } })
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (answer.status !== 503) continue
    assert.equal(answer.json.error.code, 'unavailable')
    assert.equal(answer.headers.get('retry-after'), '5')
  }
  assert.equal(statuses[503], 1)
  for (let at = 0; at < 40; at++) {
    const answer = await both.send('/none', { headers: { authorization: `Bearer pst_${at}` } })
    assert.equal(answer.status, 404)
  }
  assert.deepEqual(dying.taken.slice(0, 2), ['POST', 'GET'])
})

test('a node that is killed loses nobody who comes after it: all callers are answered by the other one', async () => {
  const [first] = nodes
  await first.stop('SIGKILL')
  const sent = { method: 'POST', body: '{"action":"SVC_API.welcome"}' }
  const headersOf = (token: string) => ({ authorization: `Bearer ${token}`, 'content-type': 'application/json' })
  for (let at = 0; at < 12; at++) {
    assert.equal((await front.send('/api/', { ...sent, headers: headersOf(`pst_${at}`) })).status, 200)
    assert.equal((await front.send('/', { headers: { cookie: `postern=s${at}` } })).status, 200)
  }
  assert.equal((await front.send('/api/', { ...sent, headers: headersOf(first.token) })).status, 200)
})

for (const [rule, words, sentence] of [
  ['a node that is named twice', ['--upstream', 'a.test:1', '--upstream', 'A.test:1'], '--upstream a.test:1 is given twice'],
  ['no port', ['--upstream', 'a.test:1', '--upstream', 'a.test'], '--upstream "a.test" makes no sense'],
  ['several with Apache', ['--for', 'apache', '--upstream', 'a.test:1', '--upstream', 'b.test:1'], 'Several --upstream are for'],
  ['several with Caddy', ['--for', 'caddy', '--upstream', 'a.test:1', '--upstream', 'b.test:1'], 'Several --upstream are for'],
] as const) {
  test(`nginx --upstream: ${rule} is told in one sentence`, async () => {
    const refused = await postern({}, ['nginx', '--server-name', 'example.org', '--out', '/nonexistent/x', ...words])
    assert.equal(refused.code, 2)
    assert.ok(refused.stderr.startsWith(sentence), refused.stderr)
  })
}

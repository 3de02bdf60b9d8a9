// Restarting two nodes behind nginx, one after the other: if nginx asks the first again before the second stops, nobody is refused.

import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type Front, needFront, openFront } from '../front.ts'
import { root } from '../run-postern.ts'
import { openTwoNodes, type TestNode, type TwoNodes } from '../two-nodes.ts'
import { until } from '../until.ts'

let pair: TwoNodes
let front: Front
before(async () => {
  needFront()
  pair = await openTwoNodes({ ownProcess: true, env: { POSTERN_ACCESS_LOG: 'on' } })
  front = await openFront({ upstream: [pair.one.port, pair.two.port], home: pair.one.home })
})
after(async () => {
  await front[Symbol.asyncDispose]()
  await pair[Symbol.asyncDispose]()
})

/** Asks for a path as many callers, whom nginx would spread over both nodes. @returns the statuses that came */
async function askAsMany(path: string): Promise<readonly number[]> {
  const statuses = new Set<number>()
  for (let at = 0; at < 16; at++)
    statuses.add((await front.send(path, { headers: { authorization: `Bearer pst_${at}` } })).status)
  return [...statuses]
}

const wasAsked = (node: TestNode, path: string): boolean =>
  node.log.some((line) => line.includes('"event":"request"') && line.includes(`"${path}"`))

test('two nodes that are restarted in turn: all callers are answered, once nginx asks the first again', async () => {
  const { one, two } = pair
  assert.deepEqual(await askAsMany('/before'), [404])
  for (const [node, name] of [
    [one, 'one'],
    [two, 'two'],
  ] as const) {
    await node.stop()
    assert.deepEqual(await askAsMany(`/without-${name}`), [404])
    await node.restart()
    // nginx leaves the node out for as long as its fail_timeout says.
    let turn = 0
    await until(`nginx asks ${name} again`, async () => {
      const path = `/again-${name}-${turn++}`
      assert.deepEqual(await askAsMany(path), [404])
      return wasAsked(node, path) || wasAsked(node, `/again-${name}-${turn - 2}`)
    })
  }
})

test('the document says how long nginx leaves a node out', async () => {
  const nodes = await readFile(join(root, 'nginx', 'postern-nodes.conf'), 'utf8')
  assert.match(nodes, /fail_timeout=10s/)
  const document = await readFile(join(root, 'src', 'docs', 'several-machines.md'), 'utf8')
  assert.match(document, /then wait ten seconds/)
})

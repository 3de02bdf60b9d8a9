// The doctor while the database is away: what can be known without it is told, among that each node.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { control, openServer, type PostgresServer } from '../postgres.ts'
import { openTwoNodes, type TwoNodes } from '../two-nodes.ts'

let server: PostgresServer
let pair: TwoNodes
before(async () => {
  server = await openServer()
  pair = await openTwoNodes({ server })
})
after(() => pair[Symbol.asyncDispose]())

interface Found {
  readonly id: string
  readonly state: string
  readonly message: string
  readonly fix: string | null
}

const rows = ['node-reachable', 'node-key', 'node-release', 'node-clock', 'legacy-bridge', 'disk']

async function examine(): Promise<{ readonly code: number; readonly findings: readonly Found[] }> {
  const nodes = [pair.one, pair.two].flatMap(({ port }) => ['--node', `127.0.0.1:${port}`])
  const { code, stdout, stderr } = await pair.one.postern(
    ['doctor', '--json', '--url', pair.one.address, ...nodes].concat('--only', rows.join(',')),
  )
  assert.ok(stdout.startsWith('{'), stderr)
  return { code, findings: (JSON.parse(stdout) as { findings: readonly Found[] }).findings }
}

test('while the database is away, the doctor says so, and tells of each node', async () => {
  await control(server, 'stop')
  try {
    const { code, findings } = await examine()
    assert.equal(code, 2)
    const of = (id: string) => findings.filter((finding) => finding.id === id)
    const [database] = of('database')
    assert.equal(database?.state, 'broken')
    assert.match(database?.message ?? '', /^The site can't be opened: .*can't be reached/)
    assert.equal(database?.fix, 'postern database check')
    const ready = of('node-reachable')
    assert.deepEqual(
      ready.map(({ state }) => state),
      ['broken', 'broken'],
    )
    for (const [place, { port }] of [pair.one, pair.two].entries())
      assert.match(
        ready[place]?.message ?? '',
        new RegExp(`^The node 127\\.0\\.0\\.1:${port} is not ready: The database accepts no writes`),
      )
    // The key is in the home, so it is known what the nodes report.
    for (const id of ['node-key', 'node-release', 'node-clock'])
      assert.deepEqual(
        of(id).map(({ state }) => state),
        ['ok'],
        id,
      )
    assert.match(of('legacy-bridge')[0]?.message ?? '', /see the row database/)
    assert.deepEqual(
      of('disk').map(({ state }) => state),
      ['unknown'],
    )
  } finally {
    await control(server, 'start')
  }
})

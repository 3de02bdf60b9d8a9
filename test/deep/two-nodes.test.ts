// Two nodes behind nginx, on a PostgreSQL server with a standby, under eight writers, with everything that can happen to a node, to the database and to
// the network between them. Each writer repeats a call with its idempotency key until it is acknowledged. Nothing that was acknowledged is lost,
// nothing is there by halves, and nothing is there twice.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'
import { freePort } from '../free-port.ts'
import { type Front, openFront } from '../front.ts'
import { control, openServer, openStandby, type PostgresServer, queryServer } from '../postgres.ts'
import { openPostgresProxy, type PostgresProxy } from '../postgres-proxy.ts'
import { postern } from '../postern.ts'
import { inheritedEnvironment } from '../run-postern.ts'
import { openTwoNodes, type TestNode, type TwoNodes } from '../two-nodes.ts'
import { until } from '../until.ts'

let server: PostgresServer
let standby: PostgresServer & AsyncDisposable
let proxy: PostgresProxy
let pair: TwoNodes
let one: TestNode
let two: TestNode
let front: Front
let tokens: readonly string[]
/** The server that has the data. */
let primary: PostgresServer

before(async () => {
  server = primary = await openServer()
  standby = await openStandby(server, await freePort())
  proxy = await openPostgresProxy(server)
  const second = `${encodeURIComponent(standby.socket)}:${standby.port}`
  const reach = (url: string, node: 'one' | 'two') => {
    const { database } = readPostgresAddress(url)
    const first = node === 'one' ? `${encodeURIComponent(server.socket)}:${server.port}` : `127.0.0.1:${proxy.port}`
    return `postgres://site@${first},${second}/${database}?connect_timeout=1`
  }
  pair = await openTwoNodes({ server, reach, ownProcess: true })
  ;({ one, two } = pair)
  front = await openFront({ upstream: [one.port, two.port], home: one.home })
  // nginx chooses the node by the token.
  tokens = await Promise.all(
    Array.from({ length: 8 }, async (_, at) => (await one.call('SVC_Tokens.create', { name: `w${at}`, scope: 'content' })).token),
  )
})
after(async () => {
  await front?.[Symbol.asyncDispose]()
  await pair?.[Symbol.asyncDispose]()
  await proxy?.[Symbol.asyncDispose]()
  await standby?.[Symbol.asyncDispose]()
})

interface Load extends AsyncDisposable {
  readonly acknowledged: readonly string[]
  /** Codes and statuses of what was not acknowledged. */
  readonly refused: ReadonlySet<string>
  stop(): Promise<void>
}

/** Eight writers through nginx. Each writes two posts with one call, and repeats the call until it is acknowledged. */
function startLoad(name: string): Load {
  const acknowledged: string[] = []
  const refused = new Set<string>()
  const over = new AbortController()
  const write = async (title: string, token: string): Promise<boolean> => {
    const calls = ['a', 'b'].map((half) => ({
      action: 'SVC_Content.create',
      arguments: { type: 'post', title: title + half, body: 'Some words.' },
    }))
    const body = JSON.stringify({ action: 'SVC_API.batch', calls, idempotency_key: title.replaceAll(' ', '-') })
    const headers = { 'content-type': 'application/json' }
    const { status, text } = await front.send('/api/', { method: 'POST', token, headers, body })
    if (status === 200) return true
    refused.add(`${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`)
    // No other failure can be the caller's fault here.
    assert.ok([502, 503, 504].includes(status) || /"code":"conflict"/.test(text), `${status} ${text}`)
    return false
  }
  const work = async (token: string, writer: number) => {
    for (let at = 0; !over.signal.aborted; at++) {
      const title = `${name} ${writer} ${at} `
      while (!(await write(title, token).catch(notAssertion))) {
        if (over.signal.aborted) return
        await sleep(50)
      }
      acknowledged.push(`${title}a`, `${title}b`)
    }
  }
  const all = Promise.all(tokens.map(work))
  const stop = async () => {
    over.abort()
    await all
  }
  return { acknowledged, refused, stop, [Symbol.asyncDispose]: stop }
}

/** A connection that broke. */
function notAssertion(error: unknown): false {
  if (error instanceof assert.AssertionError) throw error
  return false
}

const goesOn = async (load: Load): Promise<void> => {
  const written = load.acknowledged.length
  await until('writing goes on', () => load.acknowledged.length > written + 40)
}

/** Compares what was acknowledged with what is there. */
async function checkLedger(load: Load): Promise<void> {
  await load.stop()
  const { database } = readPostgresAddress(pair.url)
  const rows = await queryServer(primary, database, 'select title from postern.entry')
  const counts = new Map<string, number>()
  for (const { title } of rows) counts.set(String(title), (counts.get(String(title)) ?? 0) + 1)
  assert.deepEqual(
    load.acknowledged.filter((title) => !counts.has(title)),
    [],
    'lost',
  )
  assert.deepEqual(
    [...counts].filter(([title, count]) => count > 1 && / [ab]$/.test(title)),
    [],
    'twice',
  )
  const other = (title: string) => title.slice(0, -1) + (title.endsWith('a') ? 'b' : 'a')
  assert.deepEqual(
    [...counts.keys()].filter((title) => / [ab]$/.test(title) && !counts.has(other(title))),
    [],
    'by halves',
  )
}

const isKnown = async (node: TestNode, token: string): Promise<boolean> =>
  (await node.call('SVC_API.welcome', {}, { token })).you.token !== null

const bothReady = () =>
  until('both nodes are ready', async () => {
    const ready = [one, two].map(async (node) => (await node.send('/readyz').catch(() => ({ status: 0 }))).status === 200)
    return (await Promise.all(ready)).every(Boolean)
  })

test('a standby is refused at the start, with what to do', async () => {
  const { database } = readPostgresAddress(pair.url)
  const url = `postgres://site@${encodeURIComponent(standby.socket)}:${standby.port}/${database}`
  const { code, stderr } = await postern({ ...inheritedEnvironment(), POSTERN_HOME: one.home, POSTERN_DATABASE_URL: url }, [
    'migrate',
  ])
  assert.notEqual(code, 0)
  assert.match(stderr, /is a standby \(in recovery\), which can't be written to: name the primary, or all hosts/)
})

test('attack 120: nodes that are killed amid writes', async () => {
  await using load = startLoad('killed')
  for (const node of [two, one, two]) {
    await sleep(1000)
    process.kill(node.pid, 'SIGKILL')
    await sleep(500)
    await node.restart()
  }
  await goesOn(load)
  await checkLedger(load)
})

test('attack 120: a node that is stopped inside a transaction loses it, and the lock comes free', async (t) => {
  t.after(() => process.kill(one.pid, 'SIGCONT'))
  const { database } = readPostgresAddress(pair.url)
  const body = 'words '.repeat(2000)
  // Stopped again and again until the transaction of the batch was open.
  for (let round = 0, isInside = false; !isInside; round++) {
    assert.ok(round < 60, 'it was never stopped inside a transaction')
    const calls = Array.from({ length: 50 }, (_, at) => ({
      action: 'SVC_Content.create',
      arguments: { type: 'post', title: `long ${round} ${at}`, body },
    }))
    const batch = one.api('SVC_API.batch', { calls })
    await sleep(20 + 9 * (round % 20))
    process.kill(one.pid, 'SIGSTOP')
    const write = two.api('SVC_Content.create', { type: 'post', title: `beside ${round}` })
    if ((await Promise.race([write, sleep(1500, undefined)])) === undefined)
      await until(
        'the lock is free',
        async () => (await two.api('SVC_Content.create', { type: 'post', title: 'free' })).status === 200,
      )
    process.kill(one.pid, 'SIGCONT')
    const { status } = await batch
    isInside = status === 503
    const rows = await queryServer(
      primary,
      database,
      `select count(*) as n from postern.entry where title like 'long ${round} %'`,
    )
    assert.equal(Number(rows[0]?.['n']), status === 200 ? 50 : 0)
  }
  await bothReady()
})

test('attack 120: the database is stopped hard for four seconds', async () => {
  await using load = startLoad('stopped')
  await sleep(1000)
  await control(server, 'stop')
  await sleep(4000)
  await control(server, 'start')
  await bothReady()
  await goesOn(load)
  await checkLedger(load)
})

test('attack 120: connections that are lost during commits', async () => {
  await using load = startLoad('commits')
  let commits = 0
  proxy.onSent = (chunk) => {
    if (!chunk.includes('commit\0')) return 'pass'
    commits += 1
    return commits % 7 === 0 ? 'drop' : commits % 11 === 0 ? 'pass then drop' : 'pass'
  }
  await until('commits were lost', () => commits > 60)
  proxy.onSent = () => 'pass'
  await goesOn(load)
  await checkLedger(load)
})

test('attack 120: a node that is cut off: a revoked token ends there within a second, pages stay, and calls are unavailable', async (t) => {
  await one.call('SVC_Content.create', { type: 'page', title: 'Kept', slug: 'kept', status: 'published' })
  const { token, item } = await one.call('SVC_Tokens.create', { name: 'ended', scope: 'content' })
  assert.ok(await isKnown(two, token))
  await until('the page', async () => (await two.send('/kept', { token: null })).status === 200)
  // Pages are kept from the last change on.
  await sleep(1000)
  assert.equal((await two.send('/kept', { token: null })).status, 200)
  proxy.fallSilent()
  t.after(() => proxy.speakAgain())
  await using load = startLoad('cut')
  // The node that was cut off may hold the lock of writers until the database ends its transaction: until then the answer is
  // `unavailable`, with the time to wait.
  await until('the revocation', async () => (await one.api('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })).status === 200)
  await sleep(1000)
  const answers = await Promise.all([
    two.api('SVC_API.welcome', {}, { token }),
    two.api('SVC_Content.create', { type: 'post', title: 'lost' }, { token }),
    two.api('SVC_Content.create', { type: 'post', title: 'lost' }),
    two.send('/readyz', { token: null }),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [503, 503, 503, 503],
  )
  assert.equal((await two.send('/kept', { token: null })).status, 200)
  proxy.speakAgain()
  await bothReady()
  assert.equal(await isKnown(two, token), false)
  await goesOn(load)
  await checkLedger(load)
})

test('clocks five seconds apart: due entries are published once, keys and codes hold, and no change is lost', async () => {
  const ahead = encodeURIComponent('const now = Date.now; Date.now = () => now() + 5000')
  await two.stop()
  await two.restart({ NODE_OPTIONS: `--import data:text/javascript,${ahead}` })
  await using load = startLoad('clocks')
  const due: string[] = []
  for (let at = 0; at < 6; at++) {
    const node = at % 2 === 0 ? one : two
    const { item } = await node.call('SVC_Content.create', {
      type: 'post',
      title: `due ${at}`,
      status: 'published',
      published_at: new Date(Date.now() + 6000 + 300 * at).toISOString(),
    })
    due.push(item.id)
  }
  for (const id of due)
    await until('it is published', async () => (await one.call('SVC_Content.get', { id })).item.status === 'published')
  await sleep(6000)
  const { database } = readPostgresAddress(pair.url)
  const rows = await queryServer(primary, database, `select changes from postern.activity where door = 'system'`)
  const published = rows.map(({ changes }) => due.find((id) => String(changes).includes(id))).filter(Boolean)
  assert.deepEqual(published.toSorted(), due.toSorted())
  await goesOn(load)
  await checkLedger(load)
  await two.stop()
  await two.restart()
})

test('attack 122: a rolling upgrade: one node after the other is restarted while the other writes, with a schema that grows meanwhile', async () => {
  await using load = startLoad('upgrade')
  const { database } = readPostgresAddress(pair.url)
  await sleep(500)
  await two.stop()
  // What a migration of the new release does while the old node writes: it only adds.
  await queryServer(primary, database, 'alter table postern.entry add column later text')
  await queryServer(
    primary,
    database,
    'create table postern.later (id text primary key); alter table postern.later owner to site',
  )
  await two.restart()
  await goesOn(load)
  await one.stop()
  await goesOn(load)
  await one.restart()
  await goesOn(load)
  await checkLedger(load)
})

test('attack 120: the primary fails and the standby is promoted: the nodes find it by themselves', async () => {
  await using load = startLoad('promoted')
  const { token, item } = await one.call('SVC_Tokens.create', { name: 'of before', scope: 'content' })
  assert.ok(await isKnown(two, token))
  await sleep(1000)
  await control(server, 'stop')
  // Until somebody promotes it, the standby is all that the nodes can reach.
  for (const node of [one, two])
    await until('the node says so', async () => /is a standby/.test((await node.send('/readyz', { token: null })).text))
  await control(standby, 'promote')
  primary = standby
  await queryServer(primary, 'postgres', `alter system reset synchronous_standby_names`)
  await queryServer(primary, 'postgres', 'select pg_reload_conf()')
  await bothReady()
  await goesOn(load)
  await one.call('SVC_Tokens.revoke', { ids: [item.id], expect: 1 })
  await until('it ends at both', async () => {
    const known = await Promise.all([one, two].map((node) => isKnown(node, token)))
    return !known.includes(true)
  })
  await checkLedger(load)
})

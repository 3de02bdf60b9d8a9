// Several processes of one site under load, with everything that can happen to a process: it is killed, stopped for a while, or stopped inside a
// transaction. Nothing that was acknowledged is lost, nothing is there by halves, and whoever has an answer finds the change in every process.

import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sqlite3 from 'sqlite3'
import { readRows } from '../rows.ts'
import { holdSocket } from '../supervisor.ts'
import { openTwoWorkers, type Side, type TwoWorkers } from '../two-workers.ts'
import { until } from '../until.ts'

let pair: TwoWorkers
before(async () => {
  pair = await openTwoWorkers({ POSTERN_RATE_LIMITS: 'off' })
})
after(() => pair[Symbol.asyncDispose]())

/** How many times a process has begun to listen so far. */
const countListening = (): number => pair.site.log.filter((line) => line.includes('"listening"')).length

interface Load extends AsyncDisposable {
  readonly acknowledged: readonly string[]
  /** Reads that did not find what was acknowledged before. */
  readonly stale: readonly string[]
  /** Codes of refused writes. */
  readonly refused: readonly string[]
  stop(): Promise<void>
}

/** Eight writers, half of them at each process. Each change is read at once in the other process. A connection that breaks is made again. */
async function startLoad(name: string): Promise<Load> {
  const acknowledged: string[] = []
  const stale: string[] = []
  const refused: string[] = []
  const over = new AbortController()
  const work = async (writer: number) => {
    const names = writer % 2 === 0 ? ['1', '2'] : ['2', '1']
    let sides: readonly Side[] = []
    for (let at = 0; !over.signal.aborted; at++) {
      try {
        if (sides.length === 0) sides = await Promise.all(names.map((one) => pair.connect(one)))
        const [write, read] = sides as [Side, Side]
        const title = `${name} ${writer} ${at}`
        const answer = await write.api('SVC_API.batch', {
          calls: ['a', 'b'].map((half) => ({
            action: 'SVC_Content.create',
            arguments: { type: 'post', title: `${title}${half}` },
          })),
        })
        if (answer.success !== true) refused.push(answer.error.code)
        else {
          acknowledged.push(`${title}a`, `${title}b`)
          const { id } = answer.data.results[1].data.item
          const found = await read.api('SVC_Content.get', { id })
          if (found.success !== true && found.error.code !== 'unavailable') stale.push(title)
        }
      } catch {
        // The process of this connection was killed.
        sides = []
        await sleep(50)
      }
    }
  }
  const all = Promise.all(Array.from({ length: 8 }, (_, writer) => work(writer)))
  const stop = async () => {
    over.abort()
    await all
  }
  return { acknowledged, stale, refused, stop, [Symbol.asyncDispose]: stop }
}

/** Checks that everything acknowledged is there, that no batch is there by halves, and that the database is sound. */
async function checkKept(load: Load): Promise<void> {
  const titles = new Set(((await readRows(pair.site.home))['entry'] ?? []).map(({ title }) => String(title)))
  assert.deepEqual(
    load.acknowledged.filter((title) => !titles.has(title)),
    [],
  )
  const halves = [...titles].filter(
    (title) => /[ab]$/.test(title) && !titles.has(title.slice(0, -1) + (title.endsWith('a') ? 'b' : 'a')),
  )
  assert.deepEqual(halves, [])
  assert.deepEqual(load.stale, [])
  const db = new sqlite3.Database(join(pair.site.home, 'data', 'postern.db'), sqlite3.OPEN_READONLY)
  const rows = await new Promise((resolve, reject) =>
    db.all('pragma quick_check', (error, found) => (error ? reject(error) : resolve(found))),
  )
  await new Promise((resolve) => db.close(resolve))
  assert.deepEqual(rows, [{ quick_check: 'ok' }])
}

test('attack 120: processes that are killed amid eight writers lose nothing, and are there again', async () => {
  await using load = await startLoad('killed')
  for (const name of ['2', '1', '2']) {
    await sleep(1500)
    const listening = countListening()
    process.kill((await pair.pids()).get(name) ?? 0, 'SIGKILL')
    await until('it is there again', () => countListening() > listening)
  }
  const written = load.acknowledged.length
  await until('writing goes on', () => load.acknowledged.length > written + 20)
  await load.stop()
  await checkKept(load)
})

test('attack 120: processes that are stopped for moments amid eight writers hold nobody up for long, and go on', async () => {
  await using load = await startLoad('stopped')
  for (let at = 0; at < 20; at++) {
    const pid = (await pair.pids()).get(at % 2 === 0 ? '1' : '2') ?? 0
    process.kill(pid, 'SIGSTOP')
    await sleep(250)
    process.kill(pid, 'SIGCONT')
    await sleep(100 + 13 * at)
  }
  const written = load.acknowledged.length
  await until('writing goes on', () => load.acknowledged.length > written + 20)
  await load.stop()
  await checkKept(load)
})

test('attack 120: a process that is stopped inside a transaction holds up writes alone, and those only until it goes on', async () => {
  const pids = await pair.pids()
  const [one, two] = [await pair.connect('1'), await pair.connect('2')]
  const calls = Array.from({ length: 50 }, (_, at) => ({
    action: 'SVC_Content.create',
    arguments: { type: 'post', title: `long ${at}`, body: 'words '.repeat(2000) },
  }))
  // Stopped again and again until a write of the other process has to wait: then the transaction is open.
  for (let round = 0, isInside = false; !isInside; round++) {
    assert.ok(round < 50, 'it was never stopped inside a transaction')
    const batch = one.api('SVC_API.batch', { calls })
    await sleep(20 + 7 * (round % 20))
    process.kill(pids.get('1') ?? 0, 'SIGSTOP')
    const write = two.api('SVC_Content.create', { type: 'post', title: `beside ${round}` })
    const answer = await Promise.race([write, sleep(1500, undefined)])
    if (answer === undefined) {
      isInside = true
      const other = await pair.connect('2')
      assert.equal((await other.api('SVC_Content.list', { limit: 5 })).success, true)
      const refused = await write
      assert.equal(refused.error?.code, 'unavailable')
    }
    process.kill(pids.get('1') ?? 0, 'SIGCONT')
    assert.equal((await batch).success, true)
  }
  assert.equal((await two.api('SVC_Content.create', { type: 'post', title: 'after' })).success, true)
})

test('a stop under load answers every open request, and ends with 0', async () => {
  await using load = await startLoad('ended')
  await sleep(1500)
  const stopped = pair.site.stop()
  assert.equal(await stopped, 0)
  const ended = load.stop()
  // The writers can't connect any more.
  await Promise.race([ended, sleep(3000)])
  await checkKept(load)
})

test('a socket of systemd is served by one instance of several, and by a primary process with several', async () => {
  for (const [env, names] of [
    [{ POSTERN_INSTANCE: '2' }, ['2']],
    [{}, ['1', '2']],
  ] as const) {
    const home = await mkdtemp(join(tmpdir(), 'postern-test-'))
    try {
      await using held = await holdSocket({ POSTERN_HOME: home, POSTERN_PROCESSES: '2', ...env })
      for (const name of names) {
        await until(`process ${name} answers`, async () => {
          const answer = await fetch(`http://127.0.0.1:${held.port}/healthz`, { headers: { connection: 'close' } })
          return (await answer.text()) === `ok\nprocess: ${name}\n`
        })
      }
    } finally {
      await rm(home, { recursive: true, force: true })
    }
  }
})

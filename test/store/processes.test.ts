// The store under several processes: nothing is lost, foreign changes are told, a killed writer leaves old or new.
// This file starts itself as the other process; which part it then plays is in the environment.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { openStore, type Store } from '../../src/store/core/database.ts'
import { migrateToLatest } from '../../src/store/core/migrate.ts'
import { onEachDatabase, placeOf } from './on-each-database.ts'
import { notes, openTestStore, quiet } from './open-test-store.ts'
import { isDeep } from '../deep-run.ts'
import { until } from '../until.ts'

const rounds = 100
const partName = process.env['STORE_TEST_PART']

/** Adds one in a read and a write, so that a lost lock is a lost count. */
async function addOne(store: Store): Promise<void> {
  await store.transaction(async (db) => {
    const { count } = await notes(db).selectFrom('note').select('count').where('id', '=', 'a').executeTakeFirstOrThrow()
    await notes(db)
      .updateTable('note')
      .set({ count: count + 1 })
      .where('id', '=', 'a')
      .execute()
  })
}

const parts: Readonly<Record<string, (store: Store) => Promise<void>>> = {
  async adds(store) {
    for (let i = 0; i < rounds; i++) await addOne(store)
  },
  async 'adds once'(store) {
    await addOne(store)
  },
  async migrates(store) {
    process.stdout.write(JSON.stringify(await migrateToLatest(store)))
  },
  async 'writes until killed'(store) {
    for (let round = 1; ; round++) {
      await store.transaction(async (db) => {
        for (let i = 0; i < 40; i++) {
          const row = { id: `row ${i}`, text: 'x'.repeat(2000), count: round }
          await notes(db)
            .insertInto('note')
            .values(row)
            .onConflict((on) => on.column('id').doUpdateSet(row))
            .execute()
          if (i === 20) process.stdout.write('.')
        }
      })
    }
  },
  async 'holds the lock'(store) {
    await store.transaction(async () => {
      process.stdout.write('held')
      await sleep(30_000)
    })
  },
}

function start(part: string, path: string): ChildProcess {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const self = fileURLToPath(import.meta.url)
  return spawn(process.execPath, [self], {
    env: { ...env, STORE_TEST_PART: part, STORE_TEST_PATH: path },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function finish(child: ChildProcess): Promise<string> {
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  const [code] = (await once(child, 'close')) as [number]
  assert.equal(code, 0)
  return text
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'close')
}

if (partName !== undefined) {
  const store = await openStore({ ...placeOf(process.env['STORE_TEST_PATH'] ?? ''), log: quiet })
  await parts[partName]?.(store)
  await store.close()
  // The tests below are the first process's.
  process.exit(0)
}

test(
  'processes that write at once lose nothing',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await notes(site.store.write).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
    await Promise.all([finish(start('adds', site.path)), parts['adds']?.(site.store)])
    assert.deepEqual(await notes(site.store.read).selectFrom('note').select('count').execute(), [{ count: 2 * rounds }])
  }),
)

test(
  'a change by another process is told, one of our own is not',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await notes(site.store.write).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
    let told = 0
    site.store.onForeignChange(() => void told++)
    for (let i = 0; i < 10; i++) {
      await addOne(site.store)
      await sleep(60)
    }
    await sleep(500)
    assert.equal(told, 0)
    await finish(start('adds once', site.path))
    await until('it is told', () => told > 0)
    await sleep(500)
    assert.equal(told, 1)
  }),
)

test(
  'a subscriber that fails is told again',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make, { pollMs: 50 })
    await notes(site.store.write).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
    let told = 0
    const stop = site.store.onForeignChange(async () => {
      if (++told < 3) throw new Error('not yet')
    })
    // Another store is as foreign as another process.
    const other = await openStore({ ...placeOf(site.path), log: quiet })
    try {
      await addOne(other)
      await until('it is told again', () => told === 3)
      await sleep(200)
      assert.equal(told, 3)
      stop()
      await addOne(other)
      await sleep(200)
      assert.equal(told, 3)
    } finally {
      await other.close()
    }
  }),
)

test(
  'attack 120: kill -9 in the midst of a write leaves the old state or the new',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    for (let attempt = 0; attempt < (isDeep ? 3 : 1); attempt++) {
      const child = start('writes until killed', site.path)
      if (child.stdout) await once(child.stdout, 'data')
      await sleep(attempt * 17)
      await kill(child)
      const rounds = await notes(site.store.read)
        .selectFrom('note')
        .select(['count', (eb) => eb.fn.countAll<number>().as('n')])
        .groupBy('count')
        .execute()
      assert.ok(rounds.length === 0 || (rounds.length === 1 && rounds[0]?.n === 40), JSON.stringify(rounds))
      assert.deepEqual(await site.store.findDamage(new AbortController().signal), [])
      await notes(site.store.write).deleteFrom('note').execute()
    }
  }),
)

test(
  'attack 120: while another process holds the lock a write ends as unavailable, and reading goes on',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make, { waitMs: 200 })
    const child = start('holds the lock', site.path)
    if (child.stdout) await once(child.stdout, 'data')
    await assert.rejects(
      site.store.transaction(async () => undefined),
      { code: 'unavailable' },
    )
    await assert.rejects(notes(site.store.write).deleteFrom('note').execute(), { code: 'unavailable' })
    assert.deepEqual(await notes(site.store.read).selectFrom('note').selectAll().execute(), [])
    await kill(child)
    await site.store.transaction(async () => undefined)
  }),
)

test(
  'attack 121: first starts of several processes at once all succeed, and one of them makes the tables',
  onEachDatabase(async (make) => {
    await using database = await make()
    const { path } = database
    const answers = await Promise.all([1, 2].map(() => finish(start('migrates', path))))
    const applied = answers.map((text) => JSON.parse(text) as string[]).filter((names) => names.length > 0)
    assert.equal(applied.length, 1)
    const store = await database.open()
    const { rows } = await sql`select count(*) as n from version`.execute(store.read)
    await store.close()
    assert.deepEqual(rows, [{ n: 0 }])
  }),
)

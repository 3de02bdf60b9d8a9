// The store in one process: what readers see of the writer, what a failed transaction leaves, how values are bound, what a sick disk says.

import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { sql } from 'kysely'
import { Failure } from '../../../src/base/failure.ts'
import { openStore } from '../../../src/store/core/database.ts'
import { ConstraintError, QueryError } from '../../../src/store/core/errors.ts'
import { makeSqlite, onEachDatabase, openSiteStore, placeOf } from '../on-each-database.ts'
import { until } from '../../until.ts'
import { notes, openTestFolder, openTestStore, quiet } from '../open-test-store.ts'

const isUnavailable = (error: unknown): boolean =>
  error instanceof Failure && error.code === 'unavailable' && typeof error.detail.retry_after === 'number'

test(
  'every reader sees a commit at once, however often it has read before',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const { read, write } = site.store
    for (let count = 1; count <= 30; count++) {
      await notes(write)
        .insertInto('note')
        .values({ id: String(count), text: null, count })
        .execute()
      const seen = await Promise.all(
        [1, 2, 3, 4].map(() =>
          notes(read)
            .selectFrom('note')
            .select((eb) => eb.fn.countAll<number>().as('n'))
            .executeTakeFirstOrThrow(),
        ),
      )
      assert.deepEqual(
        seen,
        Array.from({ length: 4 }, () => ({ n: count })),
      )
    }
  }),
)

test(
  'readers read the old state while a write transaction is open, and do not wait for it',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await notes(site.store.write).insertInto('note').values({ id: 'a', text: 'old', count: 0 }).execute()
    await site.store.transaction(async (db) => {
      await notes(db).updateTable('note').set({ text: 'new' }).execute()
      const outside = await notes(site.store.read).selectFrom('note').select('text').executeTakeFirst()
      const inside = await notes(db).selectFrom('note').select('text').executeTakeFirst()
      assert.deepEqual([outside?.text, inside?.text], ['old', 'new'])
    })
    const after = await notes(site.store.read).selectFrom('note').select('text').executeTakeFirst()
    assert.equal(after?.text, 'new')
  }),
)

test(
  'a transaction that throws leaves nothing, and the writer is free again',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const failing = site.store.transaction(async (db) => {
      await notes(db).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
      throw new Error('on purpose')
    })
    await assert.rejects(failing, /on purpose/)
    await notes(site.store.write).insertInto('note').values({ id: 'b', text: null, count: 0 }).execute()
    assert.deepEqual(await notes(site.store.read).selectFrom('note').select('id').execute(), [{ id: 'b' }])
  }),
)

test(
  'a query left behind by a failed Promise.all does not run outside its transaction',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const stragglers: Promise<unknown>[] = []
    const failing = site.store.transaction(async (db) => {
      const add = (id: string) => notes(db).insertInto('note').values({ id, text: null, count: 0 }).execute()
      await add('a')
      const second = add('a')
      stragglers.push(add('b'), add('c'), add('d'))
      await Promise.all([second, ...stragglers])
    })
    await assert.rejects(failing, ConstraintError)
    await Promise.allSettled(stragglers)
    assert.deepEqual(await notes(site.store.read).selectFrom('note').selectAll().execute(), [])
  }),
)

test(
  'returning gives the rows, and writes without it the number of rows',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const db = notes(site.store.write)
    const added = await db
      .insertInto('note')
      .values([1, 2, 3].map((count) => ({ id: `n${count}`, text: null, count })))
      .returning(['id', 'count'])
      .execute()
    assert.deepEqual(
      added.map((row) => row.id),
      ['n1', 'n2', 'n3'],
    )
    const updated = await db.updateTable('note').set({ text: 'x' }).where('count', '>', 1).executeTakeFirst()
    assert.equal(updated.numUpdatedRows, 2n)
    const taken = await db.deleteFrom('note').where('id', '=', 'n1').returning('count').executeTakeFirst()
    assert.deepEqual(taken, { count: 1 })
    assert.equal(await db.deleteFrom('note').where('id', '=', 'n1').returning('count').executeTakeFirst(), undefined)
    const raw = await sql`update note set text = ${'y'}`.execute(db)
    assert.equal(raw.numAffectedRows, 2n)
  }),
)

test(
  'attack 91: quotes and statements in a value stay a value',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const hostile = [`'; drop table note; --`, `" or 1=1 --`, '`x`', '\\', '%_', '?', ':a', '$1', '\u{1f600}']
    for (const text of hostile) {
      await notes(site.store.write).insertInto('note').values({ id: text, text, count: 1 }).execute()
      const found = await notes(site.store.read).selectFrom('note').selectAll().where('text', '=', text).execute()
      assert.deepEqual(found, [{ id: text, text, count: 1 }])
    }
  }),
)

test(
  'truth is bound as 0 and 1, times and bytes keep their value',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const now = 1_795_000_000_123
    const bytes = Uint8Array.from([0, 255, 7]).subarray(1)
    const { rows } = await sql<
      Record<string, unknown>
    >`select ${true} as yes, ${false} as no, ${now} as at, ${bytes} as bytes, ${null} as none`.execute(site.store.read)
    assert.deepEqual(rows, [{ yes: 1, no: 0, at: now, bytes: Buffer.from([255, 7]), none: null }])
    await notes(site.store.write).insertInto('note').values({ id: 'a', text: null, count: now }).execute()
    const typeOf = { SQLite: sql`typeof(count)`, PostgreSQL: sql`pg_typeof(count)::text` }[site.engine]
    const kept = await sql`select count, ${typeOf} as type from note`.execute(site.store.read)
    assert.deepEqual(kept.rows, [{ count: now, type: { SQLite: 'integer', PostgreSQL: 'bigint' }[site.engine] }])
  }),
)

for (const [what, value] of [
  ['undefined', undefined],
  ['an object', { a: 1 }],
  ['a date', new Date(0)],
  ['NaN', Number.NaN],
  ['2n ** 60n', 2n ** 60n],
] as const) {
  test(
    `${what} as a parameter is an error, never a silent null or text`,
    onEachDatabase(async (make) => {
      await using site = await openTestStore(make)
      await assert.rejects(sql`select ${value} as it`.execute(site.store.read), /^TypeError: Parameter 1 of a query is /)
    }),
  )
}

test(
  'nulls are the smallest values of an order',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { write, read } = site.store
    const plain = { call: 'x', by_name: 'x', state: 'waiting', attempts: 0, cancel: 0, created_at: 0 }
    for (const [id, next_at] of [
      ['a', 2],
      ['b', null],
      ['c', 1],
    ] as const) {
      await write
        .insertInto('job')
        .values({ ...plain, id, next_at })
        .execute()
    }
    const ids = async (direction: 'asc' | 'desc') =>
      (await read.selectFrom('job').select('id').orderBy('next_at', direction).execute()).map(({ id }) => id)
    assert.deepEqual(
      [await ids('asc'), await ids('desc')],
      [
        ['b', 'c', 'a'],
        ['a', 'c', 'b'],
      ],
    )
  }),
)

test(
  'a text with NUL is invalid, and nothing is stored of it',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const add = notes(site.store.write).insertInto('note').values({ id: 'a', text: 'a\u0000b', count: 1 }).execute()
    await assert.rejects(add, (error) => error instanceof Failure && error.code === 'invalid')
    assert.deepEqual(await notes(site.store.read).selectFrom('note').selectAll().execute(), [])
  }),
)

test(
  'long values pass as short ones do',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    for (const length of [65_536, 65_537, 3_000_000]) {
      const text = 'ä'.repeat(length)
      await notes(site.store.write)
        .insertInto('note')
        .values({ id: String(length), text, count: length })
        .execute()
      const row = await notes(site.store.read).selectFrom('note').select('text').where('text', '=', text).executeTakeFirst()
      assert.equal(row?.text, text)
    }
  }),
)

test(
  'more different queries than are kept prepared all work',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make, { readers: 1 })
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 450; i++) {
        const { rows } = await sql`select ${i} as ${sql.ref(`c${i}`)}`.execute(site.store.read)
        assert.deepEqual(rows, [{ [`c${i}`]: i }])
      }
    }
  }),
)

test(
  'a reader refuses to write, and that is a fault of ours, not an unavailable database',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const code = { SQLite: 'SQLITE_READONLY', PostgreSQL: '25006' }[site.engine]
    for (const db of [site.store.read, site.store.readFor(new AbortController().signal)]) {
      const write = notes(db).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
      await assert.rejects(write, (error) => error instanceof QueryError && error.code === code)
    }
  }),
)

test(
  'an error tells the statement, and never its values',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const add = () => notes(site.store.write).insertInto('note').values({ id: 'a', text: 'secret text', count: 0 }).execute()
    await add()
    await assert.rejects(add(), (error) => {
      assert.ok(error instanceof QueryError && error.sql.includes('insert into "note"'))
      assert.equal(error.code, { SQLite: 'SQLITE_CONSTRAINT', PostgreSQL: '23505' }[site.engine])
      return !inspect(error, { depth: 9, showHidden: true }).includes('secret text')
    })
  }),
)

test(
  'transactions queue for the writer, and each sees the one before',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await notes(site.store.write).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
    const add = () =>
      site.store.transaction(async (db) => {
        const { count } = await notes(db).selectFrom('note').select('count').executeTakeFirstOrThrow()
        await notes(db)
          .updateTable('note')
          .set({ count: count + 1 })
          .execute()
      })
    await Promise.all(Array.from({ length: 50 }, add))
    assert.deepEqual(await notes(site.store.read).selectFrom('note').select('count').execute(), [{ count: 50 }])
  }),
)

test(
  'who waits too long for the writer is told that the database is unavailable',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make, { waitMs: 100 })
    await site.store.transaction(async () => {
      await assert.rejects(
        site.store.transaction(async () => undefined),
        isUnavailable,
      )
    })
    await site.store.transaction(async () => undefined)
  }),
)

test('attack 120: a full disk makes writes unavailable, and reading goes on', async () => {
  await using site = await openTestStore(makeSqlite)
  const { read, write } = site.store
  await notes(write).insertInto('note').values({ id: 'a', text: 'kept', count: 0 }).execute()
  await sql`pragma max_page_count = 12`.execute(write)
  const fill = site.store.transaction(async (db) => {
    for (let i = 0; i < 100; i++)
      await notes(db)
        .insertInto('note')
        .values({ id: String(i), text: 'x'.repeat(4000), count: 0 })
        .execute()
  })
  await assert.rejects(fill, (error) => isUnavailable(error) && /full/.test(String(error)))
  assert.deepEqual(await notes(read).selectFrom('note').select('id').execute(), [{ id: 'a' }])
  await sql`pragma max_page_count = 100000`.execute(write)
  await notes(write).insertInto('note').values({ id: 'b', text: null, count: 0 }).execute()
})

test('attack 120: a database that may not be written, or a folder that is not there, is unavailable', async () => {
  await using site = await openTestStore(makeSqlite)
  await sql`pragma query_only = on`.execute(site.store.write)
  await assert.rejects(notes(site.store.write).deleteFrom('note').execute(), isUnavailable)
  await using folder = await openTestFolder()
  await assert.rejects(openStore({ path: join(folder.path, 'no', 'postern.db'), log: quiet }), isUnavailable)
})

test('a file that is no database is refused', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'postern.db')
  await writeFile(path, 'This is no database at all. '.repeat(100))
  await assert.rejects(openStore({ path, log: quiet }), (error) => error instanceof Failure && error.code === 'refused')
})

test('after close the file stands alone, without a log beside it, and queries are refused', async () => {
  await using folder = await openTestFolder()
  const path = join(folder.path, 'postern.db')
  const store = await openStore({ path, log: quiet })
  await sql`create table note (id text)`.execute(store.write)
  await store.close()
  await assert.rejects(sql`select 1`.execute(store.read))
  const { readdir } = await import('node:fs/promises')
  assert.deepEqual(await readdir(folder.path), ['postern.db'])
})

test(
  'close waits for the transaction that is open',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    let closing: Promise<void> | undefined
    await site.store.transaction(async (db) => {
      await notes(db).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
      closing = site.store.close()
      await notes(db).updateTable('note').set({ count: 7 }).execute()
    })
    await closing
    const again = await openStore({ ...placeOf(site.path), log: quiet })
    assert.deepEqual(await notes(again.read).selectFrom('note').select('count').execute(), [{ count: 7 }])
    await again.close()
  }),
)

/** A query that would run for minutes. */
const endless = sql<{ n: number }>`
  with recursive c (n) as (select 1 union all select n + 1 from c where n < 1e12) select count(*) as n from c`

test(
  'attack 135: a query ends when its signal aborts, alone, and the connection can be used again',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make, { callReaders: 1 })
    const { store } = site
    await notes(store.write).insertInto('note').values({ id: 'a', text: 'kept', count: 0 }).execute()
    for (let round = 0; round < 5; round++) {
      const left = new AbortController()
      const long = endless.execute(store.readFor(left.signal))
      const waiting = notes(store.readFor(new AbortController().signal)).selectFrom('note').select('text').execute()
      setTimeout(() => left.abort(), round * 10)
      await assert.rejects(long, isUnavailable)
      assert.deepEqual(await waiting, [{ text: 'kept' }])
    }
  }),
)

test('attack 135: an interrupt that comes before its query has a thread still ends it', async () => {
  await using site = await openTestStore(makeSqlite, { callReaders: 4 })
  const left = new AbortController()
  // There are four threads: of these eight queries the last wait for one, or for a reader.
  const long = Array.from({ length: 8 }, () => endless.execute(site.store.readFor(left.signal)))
  setImmediate(() => left.abort())
  for (const { status } of await Promise.allSettled(long)) assert.equal(status, 'rejected')
  assert.equal(
    (await notes(site.store.readFor(new AbortController().signal)).selectFrom('note').select('id').execute()).length,
    0,
  )
})

test(
  'attack 135: whoever has left before the query is asked gets none, nor do they go on waiting for a reader',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make, { callReaders: 1 })
    const [first, second] = [new AbortController(), new AbortController()]
    const long = endless.execute(site.store.readFor(first.signal))
    const waiting = endless.execute(site.store.readFor(second.signal))
    second.abort()
    await assert.rejects(waiting, isUnavailable)
    await assert.rejects(endless.execute(site.store.readFor(second.signal)), isUnavailable)
    first.abort()
    await assert.rejects(long, isUnavailable)
  }),
)

test(
  'attack 135: long calls leave the readers of pages free',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const left = new AbortController()
    const long = Array.from({ length: 6 }, () => endless.execute(site.store.readFor(left.signal)))
    assert.deepEqual(await notes(site.store.read).selectFrom('note').select('id').execute(), [])
    await site.store.transaction((db) => notes(db).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute())
    left.abort()
    await Promise.allSettled(long)
  }),
)

test(
  'a transaction whose signal aborts is rolled back, and the writer is free again',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    const left = new AbortController()
    const writing = site.store.transaction(async (db) => {
      await notes(db).insertInto('note').values({ id: 'a', text: null, count: 0 }).execute()
      setTimeout(() => left.abort(), 20)
      await endless.execute(db)
    }, left.signal)
    await assert.rejects(writing, isUnavailable)
    await site.store.transaction((db) => notes(db).insertInto('note').values({ id: 'b', text: null, count: 0 }).execute())
    assert.deepEqual(await notes(site.store.read).selectFrom('note').select('id').execute(), [{ id: 'b' }])
  }),
)

test('a few small commits reach the database file soon, without a writer that copies the log', async () => {
  await using site = await openTestStore(makeSqlite)
  const size = async () => (await site.store.measureFiles()).database
  const before = await size()
  await site.store.transaction((db) =>
    notes(db)
      .insertInto('note')
      .values({ id: 'a', text: 'x'.repeat(50_000), count: 0 })
      .execute(),
  )
  await until('the log is copied', async () => (await size()) >= before + 50_000)
})

test(
  'nothing is in an empty list, and everything is outside of it, also what is null',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await notes(site.store.write)
      .insertInto('note')
      .values([
        { id: 'a', text: 'x', count: 0 },
        { id: 'b', text: null, count: 0 },
      ])
      .execute()
    const found = async (operator: 'in' | 'not in') =>
      (await notes(site.store.read).selectFrom('note').select('id').where('text', operator, []).orderBy('id').execute()).map(
        ({ id }) => id,
      )
    assert.deepEqual([await found('in'), await found('not in')], [[], ['a', 'b']])
  }),
)

// Statements that are written without waiting: their order, their errors, and that a transaction with a failed one writes nothing.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Compilable, sql, type Transaction } from 'kysely'
import { ConstraintError } from '../../../src/store/core/errors.ts'
import { queueWrite, settle } from '../../../src/store/core/queued-writes.ts'
import type { Schema } from '../../../src/store/core/schema.ts'
import { countTrips } from '../count-trips.ts'
import { makeSqlite, onEachDatabase } from '../on-each-database.ts'
import { notes, type NoteRow, openTestStore, type TestStore } from '../open-test-store.ts'

const note = (id: string, text: string | null = null, count = 0): NoteRow => ({ id, text, count })

async function queue(db: Transaction<Schema>, query: Compilable): Promise<void> {
  queueWrite(db, { query: query.compile() })
}
const insert = (db: Transaction<Schema>, ...rows: NoteRow[]) => queue(db, notes(db).insertInto('note').values(rows))

const all = ({ store }: TestStore) => notes(store.read).selectFrom('note').selectAll().orderBy('id').execute()

test(
  'queued statements run in order, before the next query and before the commit, however often the same ones come',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    for (let round = 1; round <= 4; round++)
      await site.store.transaction(async (db) => {
        await queue(db, notes(db).deleteFrom('note'))
        await insert(db, note('a', `it's "what?" ${round}`, round))
        await queue(
          db,
          notes(db)
            .updateTable('note')
            .set({ count: round * 10 })
            .where('count', '=', round),
        )
        const [seen] = await notes(db).selectFrom('note').selectAll().execute()
        assert.deepEqual(seen, note('a', `it's "what?" ${round}`, round * 10))
        await insert(db, note('b', null, round))
        await insert(db, note('c', 'x'.repeat(100_000), -1))
      })
    assert.deepEqual(await all(site), [note('a', `it's "what?" 4`, 40), note('b', null, 4), note('c', 'x'.repeat(100_000), -1)])
  }),
)

test(
  'a query that returns rows runs after what is queued',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await site.store.transaction(async (db) => {
      await insert(db, note('a', null, 1))
      const updated = await notes(db).updateTable('note').set({ count: 2 }).returning('count').execute()
      assert.deepEqual(updated, [{ count: 2 }])
    })
  }),
)

/** What happens after the statement that fails. */
const endings: Readonly<Record<string, (db: Transaction<Schema>) => Promise<unknown>>> = {
  'the transaction ends': async () => undefined,
  'another query follows': (db) => notes(db).selectFrom('note').selectAll().execute(),
  'a caller waits for it': settle,
  'more is queued': (db) => insert(db, note('z')),
  'a caller catches its error and goes on': async (db) => {
    await assert.rejects(settle(db), ConstraintError)
    await assert.rejects(notes(db).insertInto('note').values(note('y')).execute(), ConstraintError)
    await insert(db, note('z'))
  },
}

for (const [ending, go] of Object.entries(endings))
  test(
    `a queued statement fails with its own error, and nothing of its transaction is written: ${ending}`,
    onEachDatabase(async (make) => {
      await using site = await openTestStore(make)
      await site.store.transaction((db) => insert(db, note('taken')))
      // The second and the third time, the statements are a program.
      for (let round = 0; round < 3; round++) {
        const failing = site.store.transaction(async (db) => {
          await insert(db, note('before'))
          await insert(db, note('taken'))
          await queue(db, notes(db).updateTable('note').set({ count: 5 }))
          await go(db)
        })
        await assert.rejects(failing, (error) => {
          assert.ok(error instanceof ConstraintError && error.constraint === 'unique')
          assert.deepEqual([error.table, error.columns], ['note', ['id']])
          return error.sql.startsWith('insert into "note"')
        })
        assert.deepEqual(await all(site), [note('taken')])
      }
      await site.store.transaction((db) => insert(db, note('after')))
      assert.deepEqual(await all(site), [note('after'), note('taken')])
    }),
  )

test(
  'queries that are asked at once all see what was queued before them',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await site.store.transaction(async (db) => {
      for (const id of ['a', 'b', 'c'])
        queueWrite(db, { query: notes(db).insertInto('note').values(note(id)).compile(), check: () => undefined })
      const look = () => notes(db).selectFrom('note').select('id').execute()
      const seen = await Promise.all([look(), look(), look()])
      assert.deepEqual(
        seen.map((rows) => rows.length),
        [3, 3, 3],
      )
    })
  }),
)

test(
  'after a rollback, none of the statements that were queued runs on its own',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    for (let round = 0; round < 5; round++) {
      const failing = site.store.transaction(async (db) => {
        for (let n = 0; n < 10; n++)
          queueWrite(db, {
            query: notes(db)
              .insertInto('note')
              .values(note(`${n}`))
              .compile(),
            check: () => undefined,
          })
        const left = settle(db)
        await new Promise((resolve) => setTimeout(resolve, round))
        left.catch(() => undefined)
        throw new Error('left early')
      })
      await assert.rejects(failing, /left early/)
      assert.deepEqual(await all(site), [])
    }
  }),
)

test(
  'a queued statement may name its own failure, and refuse a result',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    await site.store.transaction((db) => insert(db, note('taken')))
    const query = (db: Transaction<Schema>) => notes(db).insertInto('note').values(note('taken')).compile()
    const named = site.store.transaction(async (db) => {
      await insert(db, note('before'))
      queueWrite(db, { query: query(db), toError: (cause) => new Error('This name is taken.', { cause }) })
    })
    await assert.rejects(named, /This name is taken/)
    const refused = site.store.transaction(async (db) => {
      const missing = notes(db).deleteFrom('note').where('id', '=', 'missing').compile()
      queueWrite(db, {
        query: missing,
        check: ({ numAffectedRows }) => assert.ok(numAffectedRows !== 0n, 'no such note'),
      })
      await insert(db, note('after'))
    })
    await assert.rejects(refused, /no such note/)
    assert.deepEqual(await all(site), [note('taken')])
  }),
)

test(
  'what is queued in a transaction that throws is not written, and after its end nothing can be queued',
  onEachDatabase(async (make) => {
    await using site = await openTestStore(make)
    let leaked: Transaction<Schema> | undefined
    const failing = site.store.transaction(async (db) => {
      leaked = db
      await insert(db, note('a'))
      throw new Error('something else')
    })
    await assert.rejects(failing, /something else/)
    assert.ok(leaked)
    await assert.rejects(insert(leaked, note('b')), /has ended|was given back/)
    assert.deepEqual(await all(site), [])
  }),
)

test('queued statements take one trip to the thread of SQLite once they have come twice', async () => {
  await using site = await openTestStore(makeSqlite)
  const write = (id: string) =>
    site.store.transaction(async (db) => {
      await insert(db, note(`${id}1`))
      await insert(db, note(`${id}2`), note(`${id}3`))
      await queue(db, notes(db).updateTable('note').set({ count: 1 }).where('id', '=', id))
    })
  assert.equal(await countTrips(() => write('a')), 5, 'begin, three statements, commit')
  await write('b')
  assert.equal(await countTrips(() => write('c')), 3, 'begin, all statements, commit')
  assert.equal((await all(site)).length, 9)
})

test('a query that names its columns takes no trip of its own behind queued statements', async () => {
  await using site = await openTestStore(makeSqlite)
  const text = `"it's" \\ \u{1f600} \u0001`
  const write = (id: string) =>
    site.store.transaction(async (db) => {
      await insert(db, note(`${id}2`, text, 2 ** 52 + 1), note(`${id}1`))
      await queue(db, notes(db).updateTable('note').set({ count: -1 }).where('id', '=', `${id}1`))
      return notes(db)
        .selectFrom('note')
        .select(['id', 'text', (eb) => eb('count', '+', 1).as('"next"')])
        .where('id', 'in', [`${id}1`, `${id}2`])
        .orderBy('id', 'desc')
        .execute()
    })
  const found = (id: string) => [
    { id: `${id}2`, text, '"next"': 2 ** 52 + 2 },
    { id: `${id}1`, text: null, '"next"': 0 },
  ]
  assert.deepEqual(await write('a'), found('a'))
  assert.deepEqual(await write('b'), found('b'))
  let last: unknown
  assert.equal(await countTrips(async () => (last = await write('c'))), 3, 'begin, all statements with the query, commit')
  assert.deepEqual(last, found('c'))
})

test('statements and a query of which one fails are told apart, however often they came', async () => {
  await using site = await openTestStore(makeSqlite)
  const write = (id: string, from: string) =>
    site.store.transaction(async (db) => {
      await insert(db, note(id))
      await insert(db, note(`${id}2`))
      return notes(db)
        .selectFrom('note')
        .select([sql<string>`json(${from})`.as('read')])
        .where('id', '=', id)
        .execute()
    })
  for (const id of ['a', 'b', 'c']) assert.deepEqual(await write(id, '[1]'), [{ read: '[1]' }])
  await assert.rejects(write('d', '['), /malformed JSON/)
  await assert.rejects(write('a', '[1]'), ConstraintError)
  assert.deepEqual(await write('d', '[2]'), [{ read: '[2]' }])
  assert.equal((await all(site)).length, 8)
})

test('statements with more values than a program takes run one by one', async () => {
  await using site = await openTestStore(makeSqlite)
  for (let round = 0; round < 3; round++)
    await site.store.transaction(async (db) => {
      await insert(db, ...Array.from({ length: 400 }, (_, place) => note(`${round} ${place}`)))
      await insert(db, note(`${round} last`))
    })
  assert.equal((await all(site)).length, 1203)
})

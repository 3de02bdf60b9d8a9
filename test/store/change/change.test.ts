// Changes: what is equal is none, a stale row is a conflict, and the record of it all holds what undo needs.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recordActivity } from '../../../src/activity/record.ts'
import { noSecondFactor } from '../../../src/identity/account-store.ts'
import { Failure } from '../../../src/base/failure.ts'
import { anonymous } from '../../../src/identity/caller.ts'
import { areasOf, type Change, createChange, diffOf } from '../../../src/store/change/change.ts'
import type { Store } from '../../../src/store/core/database.ts'
import { ConstraintError } from '../../../src/store/core/errors.ts'
import { type MakeDatabase, onEachDatabase, openSiteStore } from '../on-each-database.ts'

const author = { accountId: null, name: 'test', door: 'cli', action: 'Test.test' }

async function openChanges(
  make: MakeDatabase,
): Promise<AsyncDisposable & { store: Store; run<T>(work: (change: Change) => Promise<T>, ifRevision?: number): Promise<T> }> {
  const site = await openSiteStore(make)
  return {
    ...site,
    run: (work, ifRevision) => site.store.transaction((db) => work(createChange(db, { now: 5000, author, ifRevision }))),
  }
}

const account = {
  id: 'a1',
  email: 'a@example.org',
  name: 'A',
  role: 'admin',
  public: 0,
  slug: null,
  bio: null,
  picture: null,
  password_hash: 'secret hash',
  disabled: 0,
  epoch: 1,
  enter_breaks: 1,
  proposal_mails: 'hourly',
  ...noSecondFactor,
}
const codeOf = (code: string) => (error: unknown) => error instanceof Failure && error.code === code

test(
  'an object starts at revision 1, and counts up by one with each change but not with none',
  onEachDatabase(async (make) => {
    await using site = await openChanges(make)
    await site.run(async (change) => {
      const made = await change.insert('setting', { key: 'k', value: '1' })
      assert.deepEqual([made.revision, made.created_at, made.updated_at], [1, 5000, 5000])
      const { row, changed } = await change.update('setting', made, { value: '2' })
      assert.deepEqual([row.revision, changed], [2, ['value']])
      assert.deepEqual((await change.update('setting', row, { value: '2', revision: 9, created_at: 1 })).changed, [])
      assert.equal(change.records.length, 2)
    })
    assert.deepEqual((await site.store.read.selectFrom('setting').selectAll().execute())[0], {
      key: 'k',
      value: '2',
      created_at: 5000,
      updated_at: 5000,
      revision: 2,
    })
  }),
)

test(
  'a row that another writer changed is a conflict, for a change and for taking it away',
  onEachDatabase(async (make) => {
    await using site = await openChanges(make)
    const old = await site.run((change) => change.insert('setting', { key: 'k', value: '1' }))
    await site.run((change) => change.update('setting', old, { value: '2' }))
    await assert.rejects(
      site.run((change) => change.update('setting', old, { value: '3' })),
      codeOf('conflict'),
    )
    await assert.rejects(
      site.run((change) => change.remove('setting', old)),
      codeOf('conflict'),
    )
    await site.run((change) => change.remove('setting', { ...old, revision: 2 }))
    await assert.rejects(
      site.run((change) => change.remove('setting', { ...old, revision: 2 })),
      codeOf('conflict'),
    )
  }),
)

test(
  'if_revision is held against the first object that is written, also where nothing changes',
  onEachDatabase(async (make) => {
    await using site = await openChanges(make)
    const [a, b] = await site.run(async (change) => [
      await change.insert('setting', { key: 'a', value: '1' }),
      await change.insert('setting', { key: 'b', value: '1' }),
    ])
    await assert.rejects(
      site.run((change) => change.update('setting', a, { value: '1' }), 2),
      codeOf('conflict'),
    )
    await assert.rejects(
      site.run((change) => change.remove('setting', a), 2),
      codeOf('conflict'),
    )
    await site.run(async (change) => {
      const { row } = await change.update('setting', a, { value: '2' })
      await change.update('setting', row, { value: '3' })
      await change.update('setting', b, { value: '2' })
      change.checkRevisionUsed()
    }, 1)
    await assert.rejects(
      site.run(async (change) => change.checkRevisionUsed(), 1),
      codeOf('conflict'),
    )
  }),
)

test(
  'attack 123: no diff and no record holds a secret column, nor what was destroyed',
  onEachDatabase(async (make) => {
    await using site = await openChanges(make)
    const record = (change: Change, effect: string) =>
      recordActivity(change.db, {
        id: `activity of ${effect}`,
        call: 'Test.test',
        runs: [{ name: 'Test.test', tier: 'admin', effect }],
        summary: '',
        caller: anonymous('cli', ''),
        input: {},
        records: change.records,
        now: 5000,
      })
    await site.run(async (change) => {
      const made = await change.insert('account', account)
      const { row } = await change.update('account', made, { password_hash: 'secret too', name: 'B' })
      assert.deepEqual(areasOf(change.records), ['identity'])
      assert.doesNotMatch(JSON.stringify(diffOf(change.records)), /secret|epoch/)
      record(change, 'act')
      assert.equal(row.password_hash, 'secret too')
    })
    await site.run(async (change) => {
      const row = await change.db.selectFrom('account').selectAll().executeTakeFirstOrThrow()
      await change.remove('account', row)
      record(change, 'destroy')
    })
    const rows = JSON.stringify(await site.store.read.selectFrom('activity').selectAll().execute())
    assert.doesNotMatch(rows, /secret/)
    assert.equal(rows.match(/a@example\.org/g)?.length, 1)
  }),
)

test(
  'a change of ten thousand objects has a record of them all',
  onEachDatabase(async (make) => {
    await using site = await openChanges(make)
    await site.run(async (change) => {
      const records = Array.from(
        { length: 10_000 },
        (_, at) => ({ kind: 'setting', id: `k${at}`, before: null, after: null, revision: 1 }) as const,
      )
      const caller = anonymous('cli', '')
      const runs = [{ name: 'Test.test', tier: 'admin', effect: 'write' } as const]
      recordActivity(change.db, { id: 'a', call: 'Test.test', runs, summary: '', caller, input: {}, records, now: 5000 })
    })
    assert.equal((await site.store.read.selectFrom('activity_object').selectAll().execute()).length, 10_000)
  }),
)

test(
  'a value that another object has already is `exists`, with the field as the outside knows it',
  onEachDatabase(async (make) => {
    await using site = await openChanges(make)
    const taken = (field: string) => (error: unknown) =>
      error instanceof Failure && error.code === 'exists' && error.detail.field === field && !error.message.includes('@')
    await site.run((change) => change.insert('account', account))
    await assert.rejects(
      site.run((change) => change.insert('account', { ...account, id: 'a2' })),
      taken('email'),
    )
    await assert.rejects(
      site.run((change) => change.insert('account', { ...account, email: 'b@example.org' })),
      taken('id'),
    )
    const second = await site.run((change) => change.insert('account', { ...account, id: 'a2', email: 'b@example.org' }))
    await assert.rejects(
      site.run((change) => change.update('account', second, { email: account.email })),
      taken('email'),
    )
  }),
)

test(
  'a violated constraint says which, of which table and columns',
  onEachDatabase(async (make) => {
    await using site = await openSiteStore(make)
    const { write } = site.store
    const violates = (facts: Partial<ConstraintError>) => (error: unknown) => {
      assert.ok(error instanceof ConstraintError)
      assert.deepEqual({ constraint: error.constraint, table: error.table, columns: error.columns }, facts)
      return true
    }
    const version = { area: 'content', counter: 1 }
    await write.insertInto('version').values(version).execute()
    await assert.rejects(
      write.insertInto('version').values(version).execute(),
      violates({ constraint: 'unique', table: 'version', columns: ['area'] }),
    )
    await assert.rejects(
      write
        .insertInto('version')
        .values({ area: 'x', counter: null as never })
        .execute(),
      violates({ constraint: 'required', table: 'version', columns: ['counter'] }),
    )
    const object = { activity_id: 'none', kind: 'entry', object_id: 'e', revision: 1 }
    await assert.rejects(
      write.insertInto('activity_object').values(object).execute(),
      violates({ constraint: 'reference', table: undefined, columns: [] }),
    )
  }),
)

// The areas that queries read, as names. A query of which something isn't known counts as one that reads everything.

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { publicOnly } from '../../src/content/entries/entry.ts'
import type { Db } from '../../src/store/core/database.ts'
import { watchedDb } from '../../src/cache/query-areas.ts'
import { openTestSite, type TestSite } from '../identity/open-test-site.ts'

let on: TestSite
let db: Db
let noted: (readonly string[] | undefined)[] = []
before(async () => {
  on = await openTestSite()
  db = watchedDb(on.site.store.read, (areas) => void noted.push(areas))
})
after(() => on[Symbol.asyncDispose]())

/** What one query reads; without what stands for any row of its tables. */
async function readBy(query: { execute(): Promise<unknown> }): Promise<readonly string[] | undefined> {
  noted = []
  await query.execute()
  assert.equal(noted.length, 1)
  return noted[0]?.filter((area) => !area.endsWith(' *'))
}

const entries = () => db.selectFrom('entry').selectAll()
const names = () => db.selectFrom('entry').select(['title', 'path'])

test('a query reads the rows with the values that it names, by the first of the key columns', async () => {
  assert.deepEqual(await readBy(entries()), ['entry '])
  assert.deepEqual(await readBy(entries().where('id', '=', 'a')), ['entry id=a'])
  assert.deepEqual(await readBy(entries().where('type', 'in', ['page', 'post'])), ['entry type=page', 'entry type=post'])
  assert.deepEqual(await readBy(entries().where('type', '=', 'page').where('path', '=', '/a')), ['entry path=/a'])
  assert.deepEqual(await readBy(names().where('parent_id', '=', 'a')), ['entry names parent_id=a'])
  assert.deepEqual(await readBy(names().where('type', '=', 'page').where('parent_id', 'is', null)), ['entry names type=page'])
})

test('either of two conditions may be met, and both must say which rows', async () => {
  const either = (other: 'path' | 'title') => readBy(entries().where((eb) => eb.or([eb('id', '=', 'a'), eb(other, '=', 'b')])))
  assert.deepEqual(await either('path'), ['entry id=a', 'entry path=b'])
  assert.deepEqual(await either('title'), ['entry '])
  assert.deepEqual(await readBy(entries().where((eb) => eb.not(eb('id', '=', 'a')))), ['entry '])
  assert.deepEqual(await readBy(entries().where('id', '>', 'a')), ['entry '])
  assert.deepEqual(
    await readBy(
      entries()
        .where('id', '=', 'a')
        .unionAll(entries().where('path', '=', '/a')),
    ),
    ['entry id=a', 'entry path=/a'],
  )
})

test('drafts are not among what a query of public entries reads', async () => {
  assert.deepEqual(await readBy(names().where((eb) => publicOnly(eb, 0))), ['entry names published '])
  assert.deepEqual(await readBy(names().where('status', 'in', ['published', 'draft'])), ['entry names '])
  assert.deepEqual(await readBy(names().where('status', '!=', 'draft')), ['entry names '])
})

test('a column that names nothing is among all columns, wherever the query has it', async () => {
  assert.deepEqual(await readBy(names().where('body', '=', '')), ['entry '])
  assert.deepEqual(await readBy(names().orderBy('updated_at')), ['entry '])
  assert.deepEqual(await readBy(db.selectFrom('account').select(['name']).where('id', '=', 'a')), ['account names id=a'])
})

test('each table of a query is read, those of joins and of queries within it too', async () => {
  const joined = db.selectFrom('media').leftJoin('media_picture', 'media_picture.file_key', 'media.file_key').select('media.path')
  assert.deepEqual(await readBy(joined.where('media.id', '=', 'a')), ['media id=a', 'media_picture '])
  const archive = db.selectFrom('entry_term').innerJoin('entry', 'entry.id', 'entry_term.entry_id').select('entry.title')
  assert.deepEqual(await readBy(archive.where('entry_term.term_id', '=', 'a')), ['entry names terms', 'entry names '])
  const within = names().where('id', 'in', db.selectFrom('media_use').select('entry_id').where('ref', '=', 'a'))
  assert.deepEqual(await readBy(within), ['entry '])
  const aliased = db.selectFrom('entry as above').innerJoin('entry as below', 'below.parent_id', 'above.id').select('below.title')
  assert.deepEqual(await readBy(aliased.where('above.id', '=', 'a').where('below.type', '=', 'page')), [
    'entry names id=a',
    'entry names type=page',
  ])
})

test('of a query with a text in SQL, another table, or a column of nobody knows which table, nothing is known', async () => {
  assert.equal(await readBy(names().where(sql<boolean>`id = 'a'`)), undefined)
  assert.equal(await readBy(db.selectFrom('session').select('id')), undefined)
  assert.equal(await readBy(names().where('id', 'in', db.selectFrom('session').select('id'))), undefined)
  assert.equal(
    await readBy(
      db
        .with('one', () => names())
        .selectFrom('one')
        .select('title'),
    ),
    undefined,
  )
  const compiled = on.site.store.read.selectFrom('entry').select('id').compile()
  noted = []
  await db.executeQuery(compiled)
  assert.deepEqual(noted, [undefined])
})

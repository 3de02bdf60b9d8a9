// A store on a real file in a folder of its own, with one small table; both go when the test ends.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Store } from '../../src/store/core/database.ts'
import type { MakeDatabase, TestDatabase } from './on-each-database.ts'

export { quiet } from './on-each-database.ts'

export interface NoteRow {
  id: string
  text: string | null
  count: number
}

/** The store's database with the tests' own table instead of the site's. */
export const notes = (db: unknown): Kysely<{ note: NoteRow }> => db as Kysely<{ note: NoteRow }>

export interface TestStore extends AsyncDisposable {
  readonly engine: TestDatabase['engine']
  readonly path: string
  readonly store: Store
}

export interface TestFolder extends AsyncDisposable {
  readonly path: string
}

export async function openTestFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'postern-store-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

export async function openTestStore(
  make: MakeDatabase,
  options: { pollMs?: number; waitMs?: number; readers?: number; callReaders?: number } = {},
): Promise<TestStore> {
  const database = await make()
  const store = await database.open(options)
  await sql`create table note (id text primary key, text text, count bigint not null default 0)`.execute(store.write)
  return {
    engine: database.engine,
    path: database.path,
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

// Tests of what a database must do run once on each database that a site can be served from. A new one is a row here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createLog } from '../../src/base/log.ts'
import { type DatabasePlace, openStore, type Store, type StoreOptions } from '../../src/store/core/database.ts'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'
import { makeMigratedFile, makeMigratedPostgres } from '../migrated-database.ts'
import { makePostgresDatabase, usesPostgres } from '../postgres.ts'

/** A log that drops its lines. */
export const quiet = createLog('error', () => undefined)

/** An empty database, which is deleted at the end. */
export interface TestDatabase extends AsyncDisposable {
  readonly engine: 'SQLite' | 'PostgreSQL'
  /** A path or an address, from which another process opens it with `placeOf`. */
  readonly path: string
  /** Opens it; two stores that are open at once are foreign to each other, as two processes are. */
  open(options?: Partial<StoreOptions>): Promise<Store>
}

/** Makes an empty database. @param filling `tables` for one that has the tables of a site, which are empty */
export type MakeDatabase = (filling?: 'tables') => Promise<TestDatabase>

/** The database that a path or an address names. */
export const placeOf = (path: string): DatabasePlace =>
  path.startsWith('postgres://') ? { postgres: readPostgresAddress(path) } : { path }

/** For tests of SQLite alone. */
export const makeSqlite: MakeDatabase = async (filling) => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-store-'))
  const path = join(folder, 'postern.db')
  if (filling === 'tables') await makeMigratedFile(path)
  return {
    engine: 'SQLite',
    path,
    open: (options) => openStore({ path, log: quiet, ...options }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** For tests of PostgreSQL alone. */
export const makePostgres: MakeDatabase = async (filling) => {
  const database = await (filling === 'tables' ? makeMigratedPostgres() : makePostgresDatabase())
  return {
    engine: 'PostgreSQL',
    path: database.url,
    open: (options) => openStore({ ...placeOf(database.url), log: quiet, ...options }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}

/** For tests of parts of a site: SQLite, or PostgreSQL in a run with `TEST_DATABASE=postgres`. */
export const makeUsual: MakeDatabase = usesPostgres ? makePostgres : makeSqlite

const databases: Readonly<Record<string, MakeDatabase>> = { SQLite: makeSqlite, PostgreSQL: makePostgres }

/** A test that runs on each database: `test('…', onEachDatabase(async (make) => …))`. */
export function onEachDatabase(run: (make: MakeDatabase) => Promise<void>): (context: TestContext) => Promise<void> {
  return async (context) => {
    for (const [name, make] of Object.entries(databases)) await context.test(name, () => run(make))
  }
}

/** An open store with the tables of a site, closed and deleted at the end. */
export async function openSiteStore(make: MakeDatabase): Promise<AsyncDisposable & { readonly store: Store }> {
  const database = await make('tables')
  const store = await database.open()
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

// Tests of what a database must do run once on each database that a site can be served from. A new one is a row here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createLog } from '../../src/log.ts'
import { openStore, type Store, type StoreOptions } from '../../src/store/database.ts'
import { migrateToLatest } from '../../src/store/migrate.ts'

/** A log that drops its lines. */
export const quiet = createLog('error', () => undefined)

/** An empty database, which is deleted at the end. */
export interface TestDatabase extends AsyncDisposable {
  /** What another process needs to open it. */
  readonly path: string
  /** Opens it; two stores that are open at once are foreign to each other, as two processes are. */
  open(options?: Partial<StoreOptions>): Promise<Store>
}

/** Makes an empty database. */
export type MakeDatabase = () => Promise<TestDatabase>

/** For tests of SQLite alone. */
export const makeSqlite: MakeDatabase = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'postern-store-'))
  const path = join(folder, 'postern.db')
  return {
    path,
    open: (options) => openStore({ path, log: quiet, ...options }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

const databases: Readonly<Record<string, MakeDatabase>> = { SQLite: makeSqlite }

/** A test that runs on each database: `test('…', onEachDatabase(async (make) => …))`. */
export function onEachDatabase(run: (make: MakeDatabase) => Promise<void>): (context: TestContext) => Promise<void> {
  const all = Object.entries(databases)
  return async (context) => {
    const [[, only] = []] = all
    if (only && all.length === 1) return run(only)
    for (const [name, make] of all) await context.test(name, () => run(make))
  }
}

/** An open store with the tables of a site, closed and deleted at the end. */
export async function openSiteStore(make: MakeDatabase): Promise<AsyncDisposable & { readonly store: Store }> {
  const database = await make()
  const store = await database.open()
  await migrateToLatest(store)
  return {
    store,
    async [Symbol.asyncDispose]() {
      await store.close()
      await database[Symbol.asyncDispose]()
    },
  }
}

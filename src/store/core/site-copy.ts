// Copies of a whole site, from either database to an SQLite file, and from such a file to PostgreSQL. A backup contains the file, a
// restore loads it, and a move between databases uses both.

import { open, rm } from 'node:fs/promises'
import { Failure } from '../../base/failure.ts'
import { createLog } from '../../base/log.ts'
import { copyTables, type CopyOptions, type ReadableTables, type TableSums } from './copy-tables.ts'
import type { DatabasePlace } from './database.ts'
import { migrateToLatest } from './migrate.ts'
import { migrations } from '../migrations/index.ts'
import { openSchema, inSnapshot, measureSchema, type SchemaSession } from '../postgres/site-copy.ts'
import { copyDatabase, filesOf } from '../sqlite/database-file.ts'
import { fillFileTables } from '../sqlite/file-tables.ts'
import { openSqliteStore } from '../sqlite/store.ts'

export {
  hasMark,
  hasSite,
  inSnapshot,
  loadSite,
  type LoadOptions,
  openSchema,
  prepareTarget,
  restoreMark,
  type SchemaSession,
  setMark,
} from '../postgres/site-copy.ts'
export { readFileTables } from '../sqlite/file-tables.ts'

/**
 * Writes a copy of a site at one moment to a new SQLite file. Writers don't wait for it.
 * @param options.leaveOut applies to PostgreSQL only, whose rows are copied one by one
 * @throws Failure `refused` for a PostgreSQL database with migrations that this code doesn't know; `unavailable`
 */
export async function copySite(place: DatabasePlace, to: string, options: CopyOptions = {}): Promise<void> {
  if ('path' in place) return copyDatabase(place.path, to)
  const source = await openSchema(place.postgres, 'shared')
  try {
    await copySchema(source, to, options)
  } finally {
    await source.close()
  }
}

/** Writes a copy of an open schema to a new SQLite file. @returns the checksums of the read tables */
export function copySchema(source: SchemaSession, to: string, options: CopyOptions = {}): Promise<TableSums> {
  return inSnapshot(source, async () => {
    await makeFile(to, await checkMigrations(source.tables))
    const file = await fillFileTables(to)
    let sums: TableSums
    try {
      sums = await copyTables(source.tables, file, options)
    } catch (error) {
      await file.close().catch(() => undefined)
      throw error
    }
    await file.close()
    return sums
  })
}

/** Returns the approximate bytes of a copy of a PostgreSQL database. */
export async function measureCopy(address: Extract<DatabasePlace, { postgres: unknown }>['postgres']): Promise<number> {
  const source = await openSchema(address, 'shared')
  try {
    return await measureSchema(source)
  } finally {
    await source.close()
  }
}

/** Returns the migrations of a database that this code can copy row by row. @throws Failure `refused` for unknown migrations */
async function checkMigrations(tables: ReadableTables): Promise<readonly string[]> {
  const names = await tables.listMigrations()
  if (names.length === 0) throw new Failure('refused', 'There is no site in the database.')
  const unknown = names.find((name) => !Object.hasOwn(migrations, name))
  if (unknown === undefined) return names
  throw new Failure(
    'refused',
    `The database is newer than this code: it has the migration ${unknown}. Use the release that made it.`,
  )
}

/** Creates a file with the tables of these migrations. */
async function makeFile(path: string, names: readonly string[]): Promise<void> {
  for (const file of filesOf(path)) await rm(file, { force: true })
  await (await open(path, 'wx', 0o600)).close()
  const some = Object.fromEntries(Object.entries(migrations).filter(([name]) => names.includes(name)))
  const log = createLog('error', () => undefined)
  const store = await openSqliteStore(path, { readers: 1, callReaders: 1, log })
  try {
    await migrateToLatest(store, some)
  } finally {
    await store.close()
  }
}

/** @throws Failure `refused` unless the database has exactly the migrations of this code */
export async function checkUpToDate(tables: ReadableTables, what: string): Promise<void> {
  const names = await checkMigrations(tables)
  const missing = Object.keys(migrations).find((name) => !names.includes(name))
  if (missing !== undefined)
    throw new Failure('refused', `${what} lacks the migration ${missing}: run postern migrate first.`, {
      hint: 'postern migrate',
    })
}

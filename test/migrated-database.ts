// Databases that have the tables of a site already. Making the tables takes three quarters of the processor time of opening a new site, so a run makes
// them once on each engine and copies them.

import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createLog } from '../src/base/log.ts'
import { type DatabasePlace, openStore } from '../src/store/core/database.ts'
import { migrateToLatest } from '../src/store/core/migrate.ts'
import { readPostgresAddress } from '../src/store/postgres/address.ts'
import { makePostgresDatabase, type PostgresDatabase } from './postgres.ts'
import { sharedFolder } from './shared-folder.ts'

/** Makes an SQLite file whose tables are empty. */
export async function makeMigratedFile(path: string): Promise<void> {
  const template = await sharedFolder('migrated', (folder) => makeTables({ path: join(folder, 'postern.db') }))
  await copyFile(join(template, 'postern.db'), path)
}

/** Makes a PostgreSQL database whose tables are empty. */
export async function makeMigratedPostgres(): Promise<PostgresDatabase> {
  const template = await sharedFolder('migrated-postgres', async (folder) => {
    const { name, url } = await makePostgresDatabase()
    await makeTables({ postgres: readPostgresAddress(url) })
    await writeFile(join(folder, 'name'), name)
  })
  return makePostgresDatabase(await readFile(join(template, 'name'), 'utf8'))
}

async function makeTables(place: DatabasePlace): Promise<void> {
  const store = await openStore({ ...place, log: createLog('error', () => undefined) })
  await migrateToLatest(store)
  await store.close()
}

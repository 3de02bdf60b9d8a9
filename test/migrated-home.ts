// A new home whose database has its tables already.

import { makeHome } from '../src/identity/home.ts'
import { makeMigratedFile, makeMigratedPostgres } from './migrated-database.ts'
import { keepAddress, type PostgresDatabase } from './postgres.ts'

/** Makes a home at this path, with an SQLite file whose tables are empty. */
export async function makeMigratedHome(path: string): Promise<void> {
  const { database } = await makeHome(path)
  await makeMigratedFile(database)
}

/** Makes a home at this path whose site uses a PostgreSQL database, which is returned and has to be disposed of. */
export async function makePostgresHome(path: string): Promise<PostgresDatabase> {
  await makeHome(path, false)
  const database = await makeMigratedPostgres()
  await keepAddress(path, database.url)
  return database
}

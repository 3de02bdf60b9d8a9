// Brings a database to the schema of this code: all pending migrations in one transaction, or none. The migrations are numbered
// files in `migrations/`.
// A migration only adds to the schema. The previous release can then run on the new schema, and a downgrade replaces only the
// program. A migration that can't follow this rule has a name that ends in `-contract`. An older program that finds this name in
// the database refuses to start.

import { type Kysely, type Migration, Migrator, sql } from 'kysely'
import { Failure } from '../../base/failure.ts'
import type { Store } from './database.ts'
import { migrations as ownMigrations } from '../migrations/index.ts'
import type { Schema } from './schema.ts'

/** Migrations by name. The names sort in the order of execution. */
export type Migrations = Readonly<Record<string, Migration>>

/** True if this migration changes the schema so that the previous release can't run on it. */
export const isContract = (name: string): boolean => name.endsWith('-contract')

/**
 * Runs the pending migrations and returns their names. When several processes start at once, one runs them and the others wait.
 * @throws Failure `refused` for a database that is too new for this code, or belongs to another program; `unavailable` if the wait
 * is too long
 */
export async function migrateToLatest(store: Store, migrations: Migrations = ownMigrations): Promise<readonly string[]> {
  if ((await pendingMigrations(store, migrations)).length === 0) return []
  const migrator = new Migrator({ db: store.write, provider: { getMigrations: async () => ({ ...migrations }) } })
  const { error, results = [] } = await migrator.migrateToLatest()
  if (error === undefined) return results.map((result) => result.migrationName)
  // Another process may have migrated the database in the meantime, perhaps to the schema of a newer release.
  await pendingMigrations(store, migrations)
  throw error
}

/**
 * Lists the migrations that the database lacks, without running them.
 * @throws Failure `refused` as `migrateToLatest` does
 */
export async function pendingMigrations(store: Store, migrations: Migrations = ownMigrations): Promise<readonly string[]> {
  const known = Object.keys(migrations).sort()
  const executed = await executedMigrations(store)
  const foreign = executed === undefined ? await hasTables(store) : executed.length > 0 && executed[0] !== known[0]
  if (foreign) {
    throw new Failure('refused', "The database holds another program's tables: give Postern a home of its own.")
  }
  const pending = known.filter((name) => !executed?.includes(name))
  const newer = executed?.filter((name) => !known.includes(name)) ?? []
  // If there are pending migrations as well, neither schema is an earlier state of the other.
  const barrier = newer.findLast(isContract) ?? (pending.length > 0 ? newer.at(-1) : undefined)
  if (barrier !== undefined) {
    throw new Failure(
      'refused',
      `The database is newer than this code: it has the migration ${barrier}, and the last one known here is ${known.at(-1)}. Start the newer release, or restore a backup made before it.`,
    )
  }
  return pending
}

/** Runs all migrations of this code on an empty database, in the transaction that the connection of `db` is in. */
export async function migrateInTransaction(db: Kysely<Schema>): Promise<void> {
  const provider = { getMigrations: async () => ({ ...ownMigrations }) }
  const { error } = await new Migrator({ db, provider, disableTransactions: true }).migrateToLatest()
  if (error !== undefined) throw error
}

/** Returns the names of executed migrations; undefined if no migrator has run yet. */
async function executedMigrations(store: Store): Promise<readonly string[] | undefined> {
  if (!(await store.listTables()).includes('kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(store.read)
  return rows.map((row) => row.name)
}

/** True if there are tables other than the migrator's own. Another process that is starting may just have created those. */
async function hasTables(store: Store): Promise<boolean> {
  return (await store.listTables()).some((name) => !name.startsWith('kysely_migration'))
}

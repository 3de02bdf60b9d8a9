// Brings a database to the schema of this code: all pending migrations in one transaction, or none.
// The migrations are numbered files in `migrations/`.
//
// A migration only adds, so that the previous release runs on the new schema and a downgrade replaces only the program. A migration that
// can't keep this rule has a name that ends in `-contract`: an older program that reads this name in the database refuses to start.

import { type Migration, Migrator, sql } from 'kysely'
import { Failure } from '../failure.ts'
import type { Store } from './database.ts'
import { migrations as ownMigrations } from './migrations/index.ts'

/** Migrations by name; their names sort in the order in which they run. */
export type Migrations = Readonly<Record<string, Migration>>

/** Whether the previous release can't run on the schema that this migration leaves. */
export const isContract = (name: string): boolean => name.endsWith('-contract')

/**
 * Runs the pending migrations and returns their names. When several processes start at once, one runs them and the others wait.
 * @throws Failure `refused` for a database that is too new for the code, or not Postern's; `unavailable` when the wait is too long
 */
export async function migrateToLatest(store: Store, migrations: Migrations = ownMigrations): Promise<readonly string[]> {
  if ((await pendingMigrations(store, migrations)).length === 0) return []
  const { error, results = [] } = await migratorOf(store, migrations).migrateToLatest()
  if (error === undefined) return results.map((result) => result.migrationName)
  // Another process may have been faster, and newer.
  await pendingMigrations(store, migrations)
  throw error
}

/**
 * The names of the migrations that the database lacks; it is left as it is.
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
  // With pending migrations too, neither schema is an earlier state of the other.
  const barrier = newer.findLast(isContract) ?? (pending.length > 0 ? newer.at(-1) : undefined)
  if (barrier !== undefined) {
    throw new Failure(
      'refused',
      `The database is newer than this code: it has the migration ${barrier}, and the last one known here is ${known.at(-1)}. Start the newer release, or restore a backup made before it.`,
    )
  }
  return pending
}

function migratorOf(store: Store, migrations: Migrations): Migrator {
  return new Migrator({ db: store.write, provider: { getMigrations: async () => ({ ...migrations }) } })
}

/** The names of executed migrations; undefined where no migrator has run yet. */
async function executedMigrations(store: Store): Promise<readonly string[] | undefined> {
  if (!(await store.listTables()).includes('kysely_migration')) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(store.read)
  return rows.map((row) => row.name)
}

/** Whether there are tables besides the migrator's own, which another start may just have created. */
async function hasTables(store: Store): Promise<boolean> {
  return (await store.listTables()).some((name) => !name.startsWith('kysely_migration'))
}

// The Kysely dialect for SQLite.

import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type { DialectParts } from '../core/queries.ts'

/** Tells Kysely that SQLite can roll back schema changes, so that the migrator runs all migrations in one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export const sqliteDialect: DialectParts = {
  compiler: () => new SqliteQueryCompiler(),
  adapter: () => new Adapter(),
  introspector: (db) => new SqliteIntrospector(db),
}

// The Kysely dialect for PostgreSQL.

import { type DatabaseIntrospector, type Kysely, PostgresAdapter, type QueryExecutorProvider, sql } from 'kysely'
import type { DialectParts } from '../core/queries.ts'
import { Compiler } from './compiler.ts'

/** @param schema the schema of the migrator's tables */
export function postgresDialect(schema: string): DialectParts {
  return {
    compiler: () => new Compiler(),
    adapter: () => new Adapter(),
    introspector: (db) => createIntrospector(db, schema),
  }
}

/** The migrator needs no lock of its own: each write transaction takes the lock of all writers. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Reports the tables of the site's schema to the migrator. Kysely's own introspector would list the tables of all schemas. */
function createIntrospector(db: Kysely<unknown>, schema: string): DatabaseIntrospector {
  const getTables = async () => {
    const names = await listSchemaTables(db, schema)
    return names.map((name) => ({ name, schema, isView: false, columns: [] }))
  }
  return {
    getSchemas: async () => [{ name: schema }],
    getTables,
    getMetadata: async () => ({ tables: await getTables() }),
  }
}

/** Returns the names of all tables of a schema. */
export async function listSchemaTables(db: QueryExecutorProvider, schema: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') order by c.relname`.execute(db)
  return rows.map(({ name }) => name)
}

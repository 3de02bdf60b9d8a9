// The Kysely dialect for Postern's PostgreSQL connections. If a query is started after its transaction has ended, it is refused rather than run
// outside the transaction. `connection.ts` runs the queries, and `pool.ts` lends the connections.

import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  type QueryExecutorProvider,
  type QueryResult,
  sql,
} from 'kysely'
import type { Pool } from '../pool.ts'
import { Compiler } from './compiler.ts'
import type { PostgresConnection } from './connection.ts'

/**
 * Creates a dialect over a pool of connections. Transactions and queries wait for a free connection. Several dialects may share a pool, which its
 * owner closes.
 * @param schema the schema in which the migrator looks for its tables
 * @param signal ends the queries of this dialect, and their wait for a connection; never a commit or a rollback
 */
export function createPostgresDialect(pool: Pool<PostgresConnection>, schema: string, signal?: AbortSignal): Dialect {
  return {
    createDriver: () => createDriver(pool, signal),
    createQueryCompiler: () => new Compiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db) => createIntrospector(db, schema),
  }
}

/** The migrator needs no lock of its own: each write transaction takes the lock of all writers. */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}
  override async releaseMigrationLock(): Promise<void> {}
}

/** Tells the migrator which tables the site's schema has. Kysely's own introspector would list the tables of all schemas. */
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

/** Names of all tables of a schema. */
export async function listSchemaTables(db: QueryExecutorProvider, schema: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`select c.relname as name from pg_catalog.pg_class as c
    join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
    where n.nspname = ${schema} and c.relkind in ('r', 'p') order by c.relname`.execute(db)
  return rows.map(({ name }) => name)
}

/** A connection that is lent to one borrower. */
class Lease implements DatabaseConnection {
  readonly connection: PostgresConnection
  readonly #signal: AbortSignal | undefined
  /** Why the lease refuses queries now; undefined while it accepts them. */
  closed: string | undefined

  constructor(connection: PostgresConnection, signal: AbortSignal | undefined) {
    this.connection = connection
    this.#signal = signal
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.closed !== undefined) throw new Error(`${this.closed}: each of a transaction's queries must be awaited in it.`)
    return (await this.connection.execute(query, this.#signal)) as QueryResult<R>
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams are not supported: read in pages.')
  }
}

const leaseOf = (connection: DatabaseConnection): Lease => {
  if (connection instanceof Lease) return connection
  throw new TypeError('This connection is of another dialect.')
}

function createDriver(pool: Pool<PostgresConnection>, signal: AbortSignal | undefined): Driver {
  const { numbers } = pool
  return {
    init: async () => undefined,
    acquireConnection: async () => new Lease(await pool.take(signal), signal),
    beginTransaction: async (borrowed) => {
      const asked = performance.now()
      await leaseOf(borrowed)
        .connection.begin(signal)
        .finally(() => (numbers.beginMs += performance.now() - asked))
    },
    commitTransaction: (borrowed) => endTransaction(leaseOf(borrowed), 'commit'),
    rollbackTransaction: (borrowed) => endTransaction(leaseOf(borrowed), 'rollback'),
    releaseConnection: async (borrowed) => {
      const lease = leaseOf(borrowed)
      lease.closed = 'The connection was given back'
      pool.give(lease.connection)
    },
    destroy: async () => undefined,
  }
}

/** Ends a transaction. The lease refuses queries meanwhile: otherwise a late query of a failed `Promise.all` could run after the rollback. */
async function endTransaction(lease: Lease, how: 'commit' | 'rollback'): Promise<void> {
  lease.closed = 'The transaction has ended'
  try {
    await lease.connection.end(how)
  } finally {
    lease.closed = undefined
  }
}

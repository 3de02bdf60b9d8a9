// The Kysely dialect for Postern's SQLite connections. If a query is started after its transaction has ended, it is refused rather than run
// outside the transaction. `connection.ts` runs the queries, and `pool.ts` lends the connections.

import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqliteConnection } from './connection.ts'
import { QueryError } from '../errors.ts'
import type { Pool } from '../pool.ts'

/**
 * Creates a dialect over a pool of open connections. Transactions and queries wait for a free connection. Several dialects may share a pool,
 * which its owner closes.
 * @param signal ends the queries of this dialect, and their wait for a connection; never a commit or a rollback
 */
export function createSqliteDialect(pool: Pool<SqliteConnection>, signal?: AbortSignal): Dialect {
  return {
    createDriver: () => createDriver(pool, signal),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

/** Tells Kysely that SQLite can roll back schema changes, so that the migrator runs all migrations in one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** A connection that is lent to one borrower. */
class Lease implements DatabaseConnection {
  readonly connection: SqliteConnection
  readonly #signal: AbortSignal | undefined
  /** Why the lease refuses queries now; undefined while it accepts them. */
  closed: string | undefined

  constructor(connection: SqliteConnection, signal: AbortSignal | undefined) {
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

function createDriver(pool: Pool<SqliteConnection>, signal: AbortSignal | undefined): Driver {
  const { numbers } = pool
  return {
    init: async () => undefined,
    acquireConnection: async () => new Lease(await pool.take(signal), signal),
    beginTransaction: async (borrowed) => {
      const { connection } = leaseOf(borrowed)
      const asked = performance.now()
      await connection.execute(CompiledQuery.raw(connection.begin)).finally(() => (numbers.beginMs += performance.now() - asked))
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
    await lease.connection.execute(CompiledQuery.raw(how))
  } catch (error) {
    // On a full disk SQLite rolls back by itself, and this rollback fails. The error to report is the earlier one.
    if (how === 'commit' || !(error instanceof QueryError && error.message.includes('no transaction is active'))) throw error
  } finally {
    lease.closed = undefined
  }
}

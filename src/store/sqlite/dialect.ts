// Kysely over our SQLite connections. A query that is still to run when its transaction has ended is refused, never run outside of it.
// `connection.ts` runs the queries, `pool.ts` lends the connections.

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
import type { Pool } from './pool.ts'

/**
 * A dialect over a pool of open connections. With one connection, transactions queue for it. Several dialects may share a pool;
 * its owner closes it.
 * @param signal ends the queries of this dialect, and their wait for a connection; never a commit or a rollback
 */
export function createSqliteDialect(pool: Pool, signal?: AbortSignal): Dialect {
  return {
    createDriver: () => createDriver(pool, signal),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

/** SQLite rolls schema changes back like other changes. Told so, Kysely's migrator runs all migrations in one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** A connection while one borrower has it. */
class Lease implements DatabaseConnection {
  readonly connection: SqliteConnection
  readonly #signal: AbortSignal | undefined
  /** Why it refuses queries now; undefined while it accepts them. */
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

function createDriver(pool: Pool, signal: AbortSignal | undefined): Driver {
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

/** Otherwise a late query of a failed `Promise.all` would run after the rollback, and its change would stay. */
async function endTransaction(lease: Lease, how: 'commit' | 'rollback'): Promise<void> {
  lease.closed = 'The transaction has ended'
  try {
    await lease.connection.execute(CompiledQuery.raw(how))
  } catch (error) {
    // On a full disk SQLite rolls back by itself; the error to report is the one that led here.
    if (how === 'commit' || !(error instanceof QueryError && error.message.includes('no transaction is active'))) throw error
  } finally {
    lease.closed = undefined
  }
}

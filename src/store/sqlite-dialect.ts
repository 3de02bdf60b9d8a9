// Kysely over SQLite connections of ours. A query that outlives its transaction is refused, never run outside of it.
// How a connection runs a query and who gets which is left to `sqlite-connection.ts` and `sqlite-pool.ts`.

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
import type { SqliteConnection } from './sqlite-connection.ts'
import { SqlError } from './sqlite-errors.ts'
import { createPool, type PoolNumbers, poolNumbers } from './sqlite-pool.ts'

interface DialectOptions {
  readonly connections: readonly SqliteConnection[]
  readonly waitMs: number
  readonly numbers?: PoolNumbers
}

/**
 * A dialect over open connections, which it closes when Kysely is destroyed. With one connection, transactions queue for it.
 * @param options.waitMs how long a query or transaction waits for a connection
 * @param options.numbers where it is told how long they waited
 */
export function createSqliteDialect(options: DialectOptions): Dialect {
  return {
    createDriver: () => createDriver(options),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

/** SQLite's schema changes roll back as any other; with this Kysely's migrator runs all of them in one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** A connection for as long as one borrower has it. */
class Lease implements DatabaseConnection {
  readonly connection: SqliteConnection
  /** Why it takes no query now; undefined while it does. */
  closed: string | undefined

  constructor(connection: SqliteConnection) {
    this.connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.closed !== undefined) throw new Error(`${this.closed}: each of a transaction's queries must be awaited in it.`)
    return (await this.connection.execute(query)) as QueryResult<R>
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams are not supported: read in pages.')
  }
}

const leaseOf = (connection: DatabaseConnection): Lease => {
  if (connection instanceof Lease) return connection
  throw new TypeError('This connection is of another dialect.')
}

function createDriver({ connections, waitMs, numbers = poolNumbers() }: DialectOptions): Driver {
  const pool = createPool(connections, waitMs, numbers)
  return {
    init: async () => undefined,
    acquireConnection: async () => new Lease(await pool.take()),
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
    destroy: () => pool.close(),
  }
}

/** A straggler of a `Promise.all` that failed would else run after the rollback, and stay. */
async function endTransaction(lease: Lease, how: 'commit' | 'rollback'): Promise<void> {
  lease.closed = 'The transaction has ended'
  try {
    await lease.connection.execute(CompiledQuery.raw(how))
  } catch (error) {
    // A full disk makes SQLite roll back by itself; the error that led here is the one to tell.
    if (how === 'commit' || !(error instanceof SqlError && error.message.includes('no transaction is active'))) throw error
  } finally {
    lease.closed = undefined
  }
}

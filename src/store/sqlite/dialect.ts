// Kysely over Postern's SQLite connections. If a query is started after its transaction has ended, it is refused rather than run outside the
// transaction. `connection.ts` runs the queries, and `pool.ts` lends the connections.

import {
  CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { SqliteConnection } from './connection.ts'
import { QueryError } from '../errors.ts'
import type { Pool } from '../pool.ts'

/** Queries over one pool of connections. */
export interface Queries<S> {
  /** Runs queries that nothing but a deadline of the pool ends. */
  readonly db: Kysely<S>
  /** Ends queries, and their wait for a connection, when the signal aborts; never a commit or a rollback. */
  until(signal: AbortSignal): Kysely<S>
}

/**
 * Creates the queries of a pool. Transactions and queries wait for a free connection. The pool's owner closes it.
 * The dialect, the compiler and the executor are made once: made anew for each call, they cost more than a query of one row.
 */
export function createQueries<S>(pool: Pool<SqliteConnection>): Queries<S> {
  const driver = createDriver(pool)
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new Adapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), dialect.createAdapter(), new Lender(pool))
  const props = { config: { dialect }, dialect, driver, executor }
  return {
    db: new Kysely<S>(props),
    until: (signal) => new Kysely<S>({ ...props, executor: executor.withConnectionProvider(new Lender(pool, signal)) }),
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

/** Lends a connection for each query or transaction, and takes it back. */
class Lender implements ConnectionProvider {
  readonly #pool: Pool<SqliteConnection>
  readonly #signal: AbortSignal | undefined

  constructor(pool: Pool<SqliteConnection>, signal?: AbortSignal) {
    this.#pool = pool
    this.#signal = signal
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const lease = new Lease(await this.#pool.take(this.#signal), this.#signal)
    try {
      return await consumer(lease)
    } finally {
      giveBack(this.#pool, lease)
    }
  }
}

function giveBack(pool: Pool<SqliteConnection>, lease: Lease): void {
  lease.closed = 'The connection was given back'
  pool.give(lease.connection)
}

const leaseOf = (connection: DatabaseConnection): Lease => {
  if (connection instanceof Lease) return connection
  throw new TypeError('This connection is of another dialect.')
}

/** Begins and ends transactions. Kysely takes connections from the `Lender`. */
function createDriver(pool: Pool<SqliteConnection>): Driver {
  const { numbers } = pool
  return {
    init: async () => undefined,
    acquireConnection: async () => new Lease(await pool.take(), undefined),
    beginTransaction: async (borrowed) => {
      const { connection } = leaseOf(borrowed)
      const asked = performance.now()
      await connection.execute(CompiledQuery.raw(connection.begin)).finally(() => (numbers.beginMs += performance.now() - asked))
    },
    commitTransaction: (borrowed) => endTransaction(leaseOf(borrowed), 'commit'),
    rollbackTransaction: (borrowed) => endTransaction(leaseOf(borrowed), 'rollback'),
    releaseConnection: async (borrowed) => giveBack(pool, leaseOf(borrowed)),
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

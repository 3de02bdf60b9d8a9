// Kysely over Postern's SQLite connections. `connection.ts` runs the queries, `pool.ts` lends the connections, and `lease.ts` is a lent connection.

import {
  type ConnectionProvider,
  type DatabaseConnection,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Transaction,
} from 'kysely'
import { openTransaction } from '../queued-writes.ts'
import type { Schema } from '../schema.ts'
import { Lease } from './lease.ts'
import type { Pool } from './pool.ts'

/** Queries over one pool of connections. */
export interface Queries {
  /** Runs queries that nothing but a deadline of the pool ends. */
  readonly db: Kysely<Schema>
  /** Ends queries, and their wait for a connection, when the signal aborts; never a commit or a rollback. */
  until(signal: AbortSignal): Kysely<Schema>
  /** Runs `run` in a transaction, as `Store.transaction` does. */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>, signal?: AbortSignal): Promise<T>
}

/**
 * Creates the queries of a pool. Transactions and queries wait for a free connection. The pool's owner closes it.
 * The dialect, the compiler and the executor are made once: made anew for each call, they cost more than a query of one row.
 */
export function createQueries(pool: Pool): Queries {
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
    db: new Kysely<Schema>(props),
    until: (signal) => new Kysely<Schema>({ ...props, executor: executor.withConnectionProvider(new Lender(pool, signal)) }),
    async transaction(run, signal) {
      const lease = await Lease.take(pool, signal)
      try {
        await begin(pool, lease)
        try {
          const value = await run(openTransaction(props, lease))
          await lease.end('commit')
          return value
        } catch (error) {
          await lease.end('rollback')
          throw error
        }
      } finally {
        lease.giveTo(pool)
      }
    },
  }
}

/** Tells Kysely that SQLite can roll back schema changes, so that the migrator runs all migrations in one transaction. */
class Adapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Lends a connection for each query or transaction, and takes it back. */
class Lender implements ConnectionProvider {
  readonly #pool: Pool
  readonly #signal: AbortSignal | undefined

  constructor(pool: Pool, signal?: AbortSignal) {
    this.#pool = pool
    this.#signal = signal
  }

  async provideConnection<T>(consumer: (connection: DatabaseConnection) => Promise<T>): Promise<T> {
    const lease = await Lease.take(this.#pool, this.#signal)
    try {
      return await consumer(lease)
    } finally {
      lease.giveTo(this.#pool)
    }
  }
}

const leaseOf = (connection: DatabaseConnection): Lease => {
  if (connection instanceof Lease) return connection
  throw new TypeError('This connection is of another dialect.')
}

/** For transactions that Kysely begins itself, as its migrator does. Connections come from the `Lender`. */
function createDriver(pool: Pool): Driver {
  const end = async (borrowed: DatabaseConnection, how: 'commit' | 'rollback') => {
    const lease = leaseOf(borrowed)
    await lease.end(how).finally(() => lease.reopen())
  }
  return {
    init: async () => undefined,
    acquireConnection: () => Lease.take(pool),
    beginTransaction: (borrowed) => begin(pool, leaseOf(borrowed)),
    commitTransaction: (borrowed) => end(borrowed, 'commit'),
    rollbackTransaction: (borrowed) => end(borrowed, 'rollback'),
    releaseConnection: async (borrowed) => leaseOf(borrowed).giveTo(pool),
    destroy: async () => undefined,
  }
}

async function begin({ numbers }: Pool, lease: Lease): Promise<void> {
  const asked = performance.now()
  await lease.begin().finally(() => (numbers.beginMs += performance.now() - asked))
}

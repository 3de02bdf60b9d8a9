// Kysely over a pool of connections, for any engine. The dialect, the compiler and the executor of a pool are made once: making
// them for each call would cost more than a query of one row.

import {
  type ConnectionProvider,
  type DatabaseConnection,
  type DatabaseIntrospector,
  DefaultQueryExecutor,
  type Dialect,
  type DialectAdapter,
  type Driver,
  Kysely,
  type QueryCompiler,
  type Transaction,
} from 'kysely'
import type { StoreConnection } from './connection.ts'
import { Lease } from './lease.ts'
import type { Pool } from './pool.ts'
import { openTransaction } from './queued-writes.ts'
import type { Schema } from './schema.ts'

/** The parts of a Kysely dialect that depend on the engine. */
export interface DialectParts {
  compiler(): QueryCompiler
  adapter(): DialectAdapter
  introspector(db: Kysely<unknown>): DatabaseIntrospector
}

/** Queries over one pool of connections. */
export interface Queries {
  /** Queries without a signal. */
  readonly db: Kysely<Schema>
  /** Ends queries and their wait for a connection when the signal aborts, but never a commit or a rollback. */
  until(signal: AbortSignal): Kysely<Schema>
  /** Runs `run` in a transaction, as `Store.transaction` does. */
  transaction<T>(run: (db: Transaction<Schema>) => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** Creates the queries of a pool. Transactions and queries wait for a free connection. The owner of the pool closes it. */
export function createQueries<C extends StoreConnection>(pool: Pool<C>, parts: DialectParts): Queries {
  const driver = createDriver(pool)
  const dialect: Dialect = {
    createDriver: () => driver,
    createQueryCompiler: () => parts.compiler(),
    createAdapter: () => parts.adapter(),
    createIntrospector: (db: Kysely<unknown>) => parts.introspector(db),
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
          await lease.commit()
          return value
        } catch (error) {
          await lease.rollback()
          throw error
        }
      } finally {
        lease.giveTo(pool)
      }
    },
  }
}

/** Lends a connection for each query or transaction, and returns it to the pool. */
class Lender<C extends StoreConnection> implements ConnectionProvider {
  readonly #pool: Pool<C>
  readonly #signal: AbortSignal | undefined

  constructor(pool: Pool<C>, signal?: AbortSignal) {
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

/** The driver of transactions that Kysely begins itself, as its migrator does. Connections come from the `Lender`. */
function createDriver<C extends StoreConnection>(pool: Pool<C>): Driver {
  const leaseOf = (connection: DatabaseConnection): Lease<C> => {
    if (connection instanceof Lease) return connection
    throw new TypeError('This connection belongs to another dialect.')
  }
  return {
    init: async () => undefined,
    acquireConnection: () => Lease.take(pool),
    beginTransaction: (borrowed) => begin(pool, leaseOf(borrowed)),
    async commitTransaction(borrowed) {
      await leaseOf(borrowed).commit()
      leaseOf(borrowed).reopen()
    },
    async rollbackTransaction(borrowed) {
      await leaseOf(borrowed).rollback()
      leaseOf(borrowed).reopen()
    },
    releaseConnection: async (borrowed) => leaseOf(borrowed).giveTo(pool),
    destroy: async () => undefined,
  }
}

async function begin<C extends StoreConnection>({ numbers }: Pool<C>, lease: Lease<C>): Promise<void> {
  const asked = performance.now()
  await lease.begin(() => (numbers.beginMs += performance.now() - asked))
}

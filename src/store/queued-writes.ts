// Statements of a transaction that are written without waiting for each. They run in order, before the next query of the transaction and before
// its commit. If one fails, that query or the commit fails with its error, and the transaction is rolled back. Each database sends what is queued
// in as few trips as it can (`connection.ts`).

import {
  type CompiledQuery,
  type ConnectionProvider,
  type DatabaseConnection,
  type KyselyProps,
  type QueryExecutor,
  type QueryResult,
  Transaction,
} from 'kysely'
import type { QueuedWrite } from './connection.ts'
import type { Schema } from './schema.ts'

/** The connection of a transaction, as `lease.ts` makes it. */
export interface TransactionConnection extends DatabaseConnection {
  /**
   * Adds a statement after all earlier ones. Once a queued statement has failed, every query and the commit fail with its error, so that a caller
   * who catches it can't commit the rest.
   */
  queue(write: QueuedWrite): void
  /** Waits until everything queued has run. @throws the error of the first statement that failed */
  settle(): Promise<void>
}

interface Open {
  readonly props: KyselyProps
  readonly connection: TransactionConnection
  /** A transaction whose writes are queued; made on first use. */
  later: Transaction<Schema> | undefined
}

const open = new WeakMap<Transaction<Schema>, Open>()

/** Makes a transaction of a connection on which one has begun. @param props those of the connection's database */
export function openTransaction(
  props: KyselyProps & { readonly executor: QueryExecutor },
  connection: TransactionConnection,
): Transaction<Schema> {
  const db = transactionOver(props, (consumer) => consumer(connection))
  open.set(db, { props, connection, later: undefined })
  return db
}

/** Queues a statement of a transaction. */
export function queueWrite(db: Transaction<Schema>, write: QueuedWrite): void {
  openOf(db).connection.queue(write)
}

/**
 * The same transaction, except that its statements are queued unless they return rows: each ends at once, and says nothing of what it changed.
 */
export function later(db: Transaction<Schema>): Transaction<Schema> {
  const found = openOf(db)
  return (found.later ??= transactionOver(found.props, (consumer) => consumer(new Queuing(found.connection))))
}

/** Waits until everything queued has run. @throws the error of the first statement that failed */
export function settle(db: Transaction<Schema>): Promise<void> {
  return openOf(db).connection.settle()
}

function openOf(db: Transaction<Schema>): Open {
  const found = open.get(db)
  if (found) return found
  throw new TypeError('Only a transaction that the store has opened can queue statements.')
}

function transactionOver(props: KyselyProps, provideConnection: ConnectionProvider['provideConnection']): Transaction<Schema> {
  return new Transaction<Schema>({ ...props, executor: props.executor.withConnectionProvider({ provideConnection }) })
}

/** Queues what returns no rows, and passes on everything else. */
class Queuing implements DatabaseConnection {
  readonly #connection: TransactionConnection

  constructor(connection: TransactionConnection) {
    this.#connection = connection
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (!isPlainWrite(query)) return this.#connection.executeQuery(query)
    this.#connection.queue({ query })
    return { rows: [] }
  }

  streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams are not supported: read in pages.')
  }
}

const writes: ReadonlySet<string> = new Set(['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode'])

const isPlainWrite = ({ query }: CompiledQuery): boolean =>
  writes.has(query.kind) && !('returning' in query && query.returning !== undefined)

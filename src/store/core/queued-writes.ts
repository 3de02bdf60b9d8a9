// Queued statements of a transaction: the caller does not wait for each. They run in order, before the next query of the
// transaction and before its commit. If one fails, that query or the commit fails with its error, and the transaction is rolled
// back. Each engine sends the queue in as few trips as it can (`connection.ts`).

import { type DatabaseConnection, type KyselyProps, type QueryExecutor, Transaction } from 'kysely'
import type { QueuedWrite } from './connection.ts'
import type { Schema } from './schema.ts'

/** The connection of a transaction, which `lease.ts` creates. */
export interface TransactionConnection extends DatabaseConnection {
  /**
   * Queues a statement. Once a queued statement has failed, every query and the commit fail with its error, so that a caller who
   * catches it can't commit the rest.
   */
  queue(write: QueuedWrite): void
  /** Waits for all queued statements. @throws the error of the first statement that failed */
  settle(): Promise<void>
  /** Runs a function. If it throws, its statements alone are rolled back, and the transaction can go on. @throws its error */
  savepoint<T>(run: () => Promise<T>): Promise<T>
}

const open = new WeakMap<Transaction<Schema>, TransactionConnection>()

/** Makes a transaction from a connection on which one has begun. @param props the Kysely properties of the connection's database */
export function openTransaction(
  props: KyselyProps & { readonly executor: QueryExecutor },
  connection: TransactionConnection,
): Transaction<Schema> {
  const executor = props.executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  const db = new Transaction<Schema>({ ...props, executor })
  open.set(db, connection)
  return db
}

/** Queues a statement of a transaction. It runs before the next query, at the latest before the commit. */
export function queueWrite(db: Transaction<Schema>, write: QueuedWrite): void {
  connectionOf(db).queue(write)
}

/** Waits for all queued statements. @throws the error of the first statement that failed */
export function settle(db: Transaction<Schema>): Promise<void> {
  return connectionOf(db).settle()
}

/** Runs a function. If it throws, its statements alone are rolled back, and the transaction can go on. @throws its error */
export function savepoint<T>(db: Transaction<Schema>, run: () => Promise<T>): Promise<T> {
  return connectionOf(db).savepoint(run)
}

function connectionOf(db: Transaction<Schema>): TransactionConnection {
  const found = open.get(db)
  if (found) return found
  throw new TypeError('Only a transaction that the store has opened can queue statements.')
}

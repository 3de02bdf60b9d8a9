// Statements of a transaction that are written without waiting for each. They run in order, before the next query of the transaction and before
// its commit. If one fails, that query or the commit fails with its error, and the transaction is rolled back. Each database sends what is queued
// in as few trips as it can (`connection.ts`).

import { type DatabaseConnection, type KyselyProps, type QueryExecutor, Transaction } from 'kysely'
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

const open = new WeakMap<Transaction<Schema>, TransactionConnection>()

/** Makes a transaction of a connection on which one has begun. @param props those of the connection's database */
export function openTransaction(
  props: KyselyProps & { readonly executor: QueryExecutor },
  connection: TransactionConnection,
): Transaction<Schema> {
  const executor = props.executor.withConnectionProvider({ provideConnection: (consumer) => consumer(connection) })
  const db = new Transaction<Schema>({ ...props, executor })
  open.set(db, connection)
  return db
}

/** Queues a statement of a transaction. */
export function queueWrite(db: Transaction<Schema>, write: QueuedWrite): void {
  connectionOf(db).queue(write)
}

/** Waits until everything queued has run. @throws the error of the first statement that failed */
export function settle(db: Transaction<Schema>): Promise<void> {
  return connectionOf(db).settle()
}

function connectionOf(db: Transaction<Schema>): TransactionConnection {
  const found = open.get(db)
  if (found) return found
  throw new TypeError('Only a transaction that the store has opened can queue statements.')
}

// A store's queries over its pools of connections, the same for both engines.

import type { StoreConnection } from './connection.ts'
import type { Store } from './database.ts'
import type { Pool } from './pool.ts'
import { createQueries, type DialectParts } from './queries.ts'

/** One pool for each use. */
export interface Pools<C extends StoreConnection> {
  readonly read: Pool<C>
  readonly calls: Pool<C>
  readonly visitors: Pool<C>
  readonly write: Pool<C>
}

export function createPooled<C extends StoreConnection>(
  { read, calls, visitors, write }: Pools<C>,
  dialect: DialectParts,
): Pick<Store, 'read' | 'write' | 'readFor' | 'transaction' | 'waits'> {
  const writing = createQueries(write, dialect)
  const readers = { known: createQueries(calls, dialect), unknown: createQueries(visitors, dialect) }
  return {
    read: createQueries(read, dialect).db,
    write: writing.db,
    readFor: (signal, whose = 'known') => readers[whose].until(signal),
    transaction: writing.transaction,
    waits: { read: read.numbers, calls: calls.numbers, visitors: visitors.numbers, write: write.numbers },
  }
}

export const closeReaders = async <C extends StoreConnection>({ read, calls, visitors }: Pools<C>): Promise<void> =>
  void (await Promise.all([read, calls, visitors].map((pool) => pool.close())))

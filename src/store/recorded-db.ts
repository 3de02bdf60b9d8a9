// A database that tells what its queries read. It tells before a query runs, and a query that it has not seen is one of which nothing is known.

import type { KyselyPlugin } from 'kysely'
import type { Db } from './database.ts'
import { type KnownTables, readsOf, type TableRead } from './query-reads.ts'

/** @param onRead called for each query with what it reads, or undefined where that isn't known */
export function recordedDb<D extends Db>(
  db: D,
  tables: KnownTables,
  onRead: (reads: readonly TableRead[] | undefined) => void,
): D {
  const seen = new WeakSet<object>()
  const plugin: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      seen.add(queryId)
      onRead(readsOf(node, tables))
      return node
    },
    // A query that was compiled elsewhere did not pass through `transformQuery`.
    transformResult({ result, queryId }) {
      if (!seen.has(queryId)) onRead(undefined)
      return Promise.resolve(result)
    },
  }
  return db.withPlugin(plugin) as D
}

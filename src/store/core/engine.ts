// The engine that answers the queries of a connection. Only files of `store/` that choose between `sqlite/` and `postgres/` use it.

import { type Kysely, PostgresAdapter } from 'kysely'

export type Engine = 'sqlite' | 'postgres'

export const engineOf = (db: Pick<Kysely<unknown>, 'getExecutor'>): Engine =>
  db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite'

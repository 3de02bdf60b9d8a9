// Attaches a second database to an open store under the name `standing`. A restore uses it to compare the restored database with
// the one that it replaces.

import { sql } from 'kysely'
import type { Db, Store } from '../core/database.ts'

type Writer = Pick<Store, 'write'>

/** Attaches the database file as `standing`. @throws QueryError or Failure if it can't be opened */
export async function attachStanding({ write }: Writer, path: string): Promise<void> {
  await sql`attach database ${path} as standing`.execute(write)
}

export async function detachStanding({ write }: Writer): Promise<void> {
  await sql`detach database standing`.execute(write)
}

/** Returns the first damage that a quick check of `standing` finds; undefined if it is sound. */
export async function findStandingDamage({ write }: Writer): Promise<string | undefined> {
  const { rows } = await sql<{ quick_check: string }>`pragma standing.quick_check(1)`.execute(write)
  const [found] = rows
  return found?.quick_check === 'ok' ? undefined : (found?.quick_check ?? '')
}

/** Returns the columns of a table; none if there is no such table. */
export async function columnsOf(db: Db, database: 'main' | 'standing', table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table}, ${database})`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** True if `standing` has a table. A database of an earlier release may lack it. */
export async function hasStandingTable(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from standing.sqlite_schema where type = 'table' and name = ${table}`.execute(db)
  return rows.length > 0
}

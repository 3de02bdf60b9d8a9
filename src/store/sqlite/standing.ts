// A second database beside an open store, under the name `standing`: a restore compares the restored database with the one that it replaces.

import { sql } from 'kysely'
import type { Db, Store } from '../database.ts'

type Writer = Pick<Store, 'write'>

/** Makes the database file readable as `standing`. @throws where it can't be opened */
export async function attachStanding({ write }: Writer, path: string): Promise<void> {
  await sql`attach database ${path} as standing`.execute(write)
}

export async function detachStanding({ write }: Writer): Promise<void> {
  await sql`detach database standing`.execute(write)
}

/** The first damage that a quick check of `standing` finds; undefined when it is sound. */
export async function findStandingDamage({ write }: Writer): Promise<string | undefined> {
  const { rows } = await sql<{ quick_check: string }>`pragma standing.quick_check(1)`.execute(write)
  const [found] = rows
  return found?.quick_check === 'ok' ? undefined : (found?.quick_check ?? '')
}

/** The columns of a table; none where there is no such table. */
export async function columnsOf(db: Db, database: 'main' | 'standing', table: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`select name from pragma_table_info(${table}, ${database})`.execute(db)
  return new Set(rows.map(({ name }) => name))
}

/** Whether `standing` has a table, which an earlier release may not have had. */
export async function hasStandingTable(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql`select 1 from standing.sqlite_schema where type = 'table' and name = ${table}`.execute(db)
  return rows.length > 0
}

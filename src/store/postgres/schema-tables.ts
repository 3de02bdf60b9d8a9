// The tables of a site in a PostgreSQL schema, read and written on one connection in one transaction, for copies between databases.

import type pg from 'pg'
import type { BoundValue } from '../core/bindable.ts'
import { RowBatch, parentsFirst, quoted, type TableRow, type WritableTables } from '../core/copy-tables.ts'
import { commitTable } from './commits.ts'
import type { ServerSession } from './connect.ts'
import { storeError } from './errors.ts'

/** Runs a statement. @throws Failure, QueryError, as a store does */
export async function ask<T extends pg.QueryResultRow>(
  { client }: ServerSession,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly T[]> {
  try {
    return (await client.query<T>(text, [...values])).rows
  } catch (error) {
    throw storeError(error, text, 'writer')
  }
}

/** The columns of a schema's tables with their types. */
type Types = ReadonlyMap<string, ReadonlyMap<string, string>>

export function schemaTables(session: ServerSession, schema: string): WritableTables {
  let types: Types | undefined
  return {
    async listMigrations() {
      types = undefined
      if (!(await hasTable(session, schema, 'kysely_migration'))) return []
      const rows = await ask<{ name: string }>(session, 'select name from kysely_migration order by name')
      return rows.map(({ name }) => name)
    },
    async listColumns() {
      types = await listTypes(session, schema)
      return new Map([...types].map(([table, columns]) => [table, [...columns.keys()].sort()]))
    },
    readRows: (table, columns) => readRows(session, table, columns),
    writeRows: async (table, columns, rows) => {
      types ??= await listTypes(session, schema)
      await writeRows(session, table, columns, rows, types.get(table) ?? new Map())
    },
  }
}

export async function hasTable(session: ServerSession, schema: string, table: string): Promise<boolean> {
  const found = await ask(
    session,
    `select 1 from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
      where n.nspname = $1 and c.relname = $2 and c.relkind in ('r', 'p')`,
    [schema, table],
  )
  return found.length > 0
}

async function listTypes(session: ServerSession, schema: string): Promise<Types> {
  const rows = await ask<{ table: string; column: string; type: string }>(
    session,
    `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type
      from pg_catalog.pg_class as c join pg_catalog.pg_namespace as n on n.oid = c.relnamespace
      join pg_catalog.pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where n.nspname = $1 and c.relkind in ('r', 'p') and c.relname <> $2 order by 1, 2`,
    [schema, commitTable],
  )
  const parents = await ask<{ child: string; parent: string }>(
    session,
    `select c.relname as child, p.relname as parent from pg_catalog.pg_constraint as k
      join pg_catalog.pg_class as c on c.oid = k.conrelid join pg_catalog.pg_class as p on p.oid = k.confrelid
      join pg_catalog.pg_namespace as n on n.oid = c.relnamespace where n.nspname = $1 and k.contype = 'f'`,
    [schema],
  )
  const found = new Map<string, Map<string, string>>()
  for (const { table, column, type } of rows) found.set(table, (found.get(table) ?? new Map()).set(column, type))
  return parentsFirst(found, (table) => parents.filter(({ child }) => child === table).map(({ parent }) => parent))
}

/** Reads through a cursor, so that only one batch is in memory. */
async function* readRows(session: ServerSession, table: string, columns: readonly string[]): AsyncIterable<readonly TableRow[]> {
  const size = new RowBatch()
  await ask(session, `declare postern_copy no scroll cursor for select ${columns.map(quoted).join(', ')} from ${quoted(table)}`)
  try {
    for (;;) {
      const rows = await fetchRows(session, size.rows)
      if (rows.length === 0) return
      yield rows
      size.adapt(rows)
    }
  } finally {
    if (session.isOpen) await ask(session, 'close postern_copy').catch(() => undefined)
  }
}

async function fetchRows({ client }: ServerSession, count: number): Promise<readonly TableRow[]> {
  const text = `fetch ${count} from postern_copy`
  try {
    return (await client.query<BoundValue[]>({ text, rowMode: 'array' })).rows
  } catch (error) {
    throw storeError(error, text, 'reader')
  }
}

/** Sends one array per column, so that the statement is the same for any number of rows. */
async function writeRows(
  session: ServerSession,
  table: string,
  columns: readonly string[],
  rows: readonly TableRow[],
  types: ReadonlyMap<string, string>,
): Promise<void> {
  const arrays = columns.map((column, place) => `$${place + 1}::${types.get(column) ?? 'text'}[]`)
  const text = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) select * from unnest(${arrays.join(', ')})`
  await ask(
    session,
    text,
    columns.map((_, place) => rows.map((row) => row[place])),
  )
}

// The tables of a site in an SQLite file that no store has open, for copies between databases.

import { CompiledQuery } from 'kysely'
import {
  RowBatch,
  parentsFirst,
  quoted,
  type ReadableTables,
  type TableRow,
  type TableColumns,
  type WritableTables,
} from '../core/copy-tables.ts'
import { openConnection, type SqliteConnection } from './connection.ts'

/** The tables of an open file. */
export interface FileTables extends WritableTables {
  close(): Promise<void>
}

export async function readFileTables(path: string): Promise<ReadableTables & Pick<FileTables, 'close'>> {
  const connection = await openConnection({ path, role: 'reader' })
  // The transaction reads all tables in their state at this moment.
  await connection.begin()
  await connection.rows('select 1 from sqlite_schema limit 1')
  return tablesOf(connection)
}

/**
 * Opens a file with empty tables to fill it. The file can't be used before it is closed: after a kill it may be damaged. Foreign
 * keys are not checked, because the source database has checked them.
 */
export async function fillFileTables(path: string): Promise<FileTables> {
  const connection = await openConnection({ path, role: 'writer' })
  for (const pragma of ['foreign_keys = off', 'journal_mode = off', 'synchronous = off', 'cache_size = -65536'])
    await connection.rows(`pragma ${pragma}`)
  await connection.rows('begin')
  return {
    ...tablesOf(connection),
    async close() {
      try {
        await connection.rows('commit')
        await connection.rows('pragma synchronous = full')
        await connection.rows('pragma journal_mode = delete')
      } finally {
        await connection.close()
      }
    },
  }
}

function tablesOf(connection: SqliteConnection): FileTables {
  return {
    listMigrations: () => listMigrations(connection),
    listColumns: () => listColumns(connection),
    readRows: (table, columns) => readRows(connection, table, columns),
    writeRows: (table, columns, rows) => writeRows(connection, table, columns, rows),
    close: () => connection.close(),
  }
}

async function listMigrations(connection: SqliteConnection): Promise<readonly string[]> {
  const found = await connection.rows("select 1 from sqlite_schema where type = 'table' and name = 'kysely_migration'")
  if (found.length === 0) return []
  return (await connection.rows('select name from kysely_migration order by name')).map(({ name }) => String(name))
}

async function listColumns(connection: SqliteConnection): Promise<TableColumns> {
  const tables = await connection.rows(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
  )
  const columns = new Map<string, readonly string[]>()
  const parents = new Map<string, readonly string[]>()
  for (const { name } of tables) {
    const table = String(name)
    const found = await connection.rows(`pragma table_info(${quoted(table)})`)
    columns.set(table, found.map((row) => String(row['name'])).sort())
    const keys = await connection.rows(`pragma foreign_key_list(${quoted(table)})`)
    parents.set(
      table,
      keys.map((row) => String(row['table'])),
    )
  }
  return parentsFirst(columns, (table) => parents.get(table) ?? [])
}

async function* readRows(
  connection: SqliteConnection,
  table: string,
  columns: readonly string[],
): AsyncIterable<readonly TableRow[]> {
  const batch = new RowBatch()
  const query = `select rowid as row_number_, ${columns.map(quoted).join(', ')} from ${quoted(table)} where rowid > ? order by rowid limit ?`
  for (let after = -(2 ** 53); ;) {
    const { rows: found } = await connection.execute(CompiledQuery.raw(query, [after, batch.rows]))
    const records = found as Readonly<Record<string, TableRow[number]>>[]
    const last = records.at(-1)
    if (last === undefined) return
    const rows = records.map((record) => columns.map((column) => record[column] ?? null))
    yield rows
    batch.adapt(rows)
    after = Number(last['row_number_'])
  }
}

/** The most values in one statement. Longer statements are not faster. */
const maxValues = 500

async function writeRows(
  connection: SqliteConnection,
  table: string,
  columns: readonly string[],
  rows: readonly TableRow[],
): Promise<void> {
  const rowsAtOnce = Math.max(1, Math.floor(maxValues / columns.length))
  const placeholders = `(${columns.map(() => '?').join(',')})`
  const into = `insert into ${quoted(table)} (${columns.map(quoted).join(', ')}) values `
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    const some = rows.slice(start, start + rowsAtOnce)
    await connection.execute(CompiledQuery.raw(into + some.map(() => placeholders).join(','), some.flat()))
  }
}

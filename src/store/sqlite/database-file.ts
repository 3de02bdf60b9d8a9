// Reads and writes SQLite files that no store has open, and makes consistent copies of a file that others write to. A plain copy of
// such a file would lack the latest commits, which are still in the write-ahead log.

import { openConnection, type SqliteConnection } from './connection.ts'
import type { Role } from './errors.ts'
import { resetStatements, resetTerms } from './search.ts'

/** The contents of a database: its last migration (`''` for none), and the number of rows of each table. */
export interface DatabaseFacts {
  readonly schema: string
  readonly rows: Readonly<Record<string, number>>
}

/** An object of a database's schema. `sql` is null for indexes that SQLite creates automatically. */
export interface SchemaPart {
  readonly type: string
  readonly name: string
  readonly sql: string | null
}

/** The paths that a database may use: its file, and the files that SQLite creates next to it. */
export const filesOf = (path: string): readonly string[] => ['', '-wal', '-shm', '-journal'].map((ending) => `${path}${ending}`)

/**
 * Writes a copy of the database to a new file. It uses a separate connection, so no writer and no other reader waits for it.
 * @see https://www.sqlite.org/lang_vacuum.html "VACUUM INTO"
 */
export function copyDatabase(from: string, to: string): Promise<void> {
  return withFile(from, 'reader', async (connection) => {
    // With `query_only` on, SQLite also refuses `vacuum into`.
    await connection.rows('pragma query_only = off')
    await connection.rows(`vacuum into '${to.replaceAll("'", "''")}'`)
  })
}

/** Reads the last migration and counts the rows. No other process may have the file open. */
export function readDatabaseFacts(path: string): Promise<DatabaseFacts> {
  return withFile(path, 'reader', async (connection) => {
    const tables = await connection.rows(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\' order by name",
    )
    const rows: Record<string, number> = {}
    for (const { name } of tables) {
      const [row] = await connection.rows(`select count(*) as n from "${String(name).replaceAll('"', '""')}"`)
      rows[String(name)] = Number(row?.['n'])
    }
    const [last] = 'kysely_migration' in rows ? await connection.rows('select max(name) as name from kysely_migration') : []
    const name = last?.['name']
    return { schema: typeof name === 'string' ? name : '', rows }
  })
}

/** Returns damaged pages and indexes, and rows whose foreign key refers to no row; none if the file is sound. */
export function findFileDamage(path: string): Promise<readonly string[]> {
  return withFile(path, 'reader', async (connection) => {
    const damage = (await connection.rows('pragma integrity_check(20)')).map((row) => String(row['integrity_check']))
    if (damage.join() !== 'ok') return damage
    const orphans = await connection.rows('pragma foreign_key_check')
    return orphans
      .slice(0, 20)
      .map((row) => `a row of ${String(row['table'])} refers to one of ${String(row['parent'])} that isn't there`)
  })
}

/** Reads the schema and the names of the migrations in order, without running functions that the schema refers to. */
export function readFileSchema(
  path: string,
): Promise<{ readonly parts: readonly SchemaPart[]; readonly migrations: readonly string[] }> {
  return withFile(path, 'reader', async (connection) => {
    await connection.rows('pragma trusted_schema = off')
    const rows = await connection.rows('select type, name, sql from sqlite_schema order by type desc, name')
    const parts = rows.map(({ type, name, sql }) => ({
      type: String(type),
      name: String(name),
      sql: sql === null ? null : typeof sql === 'string' ? sql : '',
    }))
    const table = parts.find(({ type, name }) => type === 'table' && name === 'kysely_migration')
    const named = table ? await connection.rows('select name from kysely_migration order by name') : []
    return { parts, migrations: named.map(({ name }) => String(name)) }
  })
}

/**
 * Deletes all rows of these tables, and overwrites them in the file. Missing tables are skipped. The search index is emptied as
 * well; a site rebuilds it from its entries.
 */
export function emptyTables(path: string, tables: readonly string[]): Promise<void> {
  return withFile(path, 'writer', async (connection) => {
    // Overwrites deleted rows (https://www.sqlite.org/pragma.html#pragma_secure_delete).
    await connection.rows('pragma secure_delete = on')
    const there = await connection.rows("select name from sqlite_schema where type = 'table'")
    const names = new Set(there.map(({ name }) => String(name)))
    for (const table of tables) if (names.has(table)) await connection.rows(`delete from ${table}`)
    if (names.has('entry_search')) for (const statement of resetStatements) await connection.rows(statement)
    // Databases of earlier releases have no terms.
    if (names.has('entry_search_term')) await connection.rows(resetTerms)
    // Without this, the write-ahead log would stay next to the file.
    await connection.rows('pragma journal_mode = delete')
  })
}

async function withFile<T>(path: string, role: Role, work: (connection: SqliteConnection) => Promise<T>): Promise<T> {
  const connection = await openConnection({ path, role })
  try {
    return await work(connection)
  } finally {
    await connection.close()
  }
}

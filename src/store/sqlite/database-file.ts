// A copy of a database that others go on writing to, as it was at one moment, and what is in the copy. Copying the file would be none:
// what was committed last is in the write-ahead log.

import { openConnection } from './connection.ts'

/** What a database holds: its last migration (`''` for none), and how many rows each table has. */
export interface DatabaseFacts {
  readonly schema: string
  readonly rows: Readonly<Record<string, number>>
}

/**
 * Writes a copy of the database to a path where nothing is yet. A reader of its own makes it: no writer waits, and no other reader.
 * @see https://www.sqlite.org/lang_vacuum.html "VACUUM INTO"
 */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const connection = await openConnection({ path: from, role: 'reader' })
  try {
    // A reader that may write nothing may not write a copy either.
    await connection.rows('pragma query_only = off')
    await connection.rows(`vacuum into ${quoted(to)}`)
  } finally {
    await connection.close()
  }
}

/** Reads what a database holds; nobody else has it open. */
export async function readDatabaseFacts(path: string): Promise<DatabaseFacts> {
  const connection = await openConnection({ path, role: 'reader' })
  try {
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
  } finally {
    await connection.close()
  }
}

/** What SQLite itself finds wrong with a database: damaged pages and indexes, rows that refer to nothing. Empty when it is whole. */
export async function findDamage(path: string): Promise<readonly string[]> {
  const connection = await openConnection({ path, role: 'reader' })
  try {
    const damage = (await connection.rows('pragma integrity_check(20)')).map((row) => String(row['integrity_check']))
    if (damage.join() !== 'ok') return damage
    const orphans = await connection.rows('pragma foreign_key_check')
    return orphans
      .slice(0, 20)
      .map((row) => `a row of ${String(row['table'])} refers to one of ${String(row['parent'])} that isn't there`)
  } finally {
    await connection.close()
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

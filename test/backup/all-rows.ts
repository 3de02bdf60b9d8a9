// All rows of a database, for tests that compare two of them.

import { readFileTables, openSchema, inSnapshot } from '../../src/store/core/site-copy.ts'
import { isMadeAnew, type ReadableTables } from '../../src/store/core/copy-tables.ts'
import { readPostgresAddress } from '../../src/store/postgres/address.ts'

/** The rows of each table as sorted JSON texts. */
export type AllRows = Readonly<Record<string, readonly string[]>>

/** Reads a database by its path or address, without the tables that each database makes itself. */
export async function readAllRows(place: string, leaveOut: ReadonlySet<string> = new Set()): Promise<AllRows> {
  if (!place.startsWith('postgres://')) {
    const file = await readFileTables(place)
    try {
      return await rowsOf(file, leaveOut)
    } finally {
      await file.close()
    }
  }
  const schema = await openSchema(readPostgresAddress(place), 'shared')
  try {
    return await inSnapshot(schema, () => rowsOf(schema.tables, leaveOut))
  } finally {
    await schema.close()
  }
}

async function rowsOf(tables: ReadableTables, leaveOut: ReadonlySet<string>): Promise<AllRows> {
  const found: Record<string, string[]> = {}
  for (const [table, columns] of await tables.listColumns()) {
    if (isMadeAnew(table) || leaveOut.has(table)) continue
    const texts: string[] = []
    for await (const rows of tables.readRows(table, columns)) texts.push(...rows.map((row) => JSON.stringify(row)))
    found[table] = texts.sort()
  }
  return found
}

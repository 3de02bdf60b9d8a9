// Checks that an unpacked backup is a working site: its schema is known, its database is undamaged and has the rows that the
// manifest counts, and the site can be upgraded, opened and become ready. The caller passes the function that opens a site.

import { join } from 'node:path'
import { errorMessage } from '../base/error-message.ts'
import { bad, checkSchema, type SchemaOptions } from './check-schema.ts'
import { findFileDamage, readDatabaseFacts } from '../store/core/database-file.ts'
import { databasePath, type BackupManifest } from './manifest.ts'

/** Opens the site of a home, waits until it is ready, and closes it. @throws Failure if it does not become ready */
export type TrySite = (home: string) => Promise<void>

/**
 * Checks a copy. @throws Failure `unprocessable` for a damaged or hostile copy; `refused` for a copy that is newer than this code
 * or lacks its key
 */
export async function checkCopy(
  home: string,
  manifest: BackupManifest,
  trySite: TrySite,
  options: Pick<SchemaOptions, 'later'>,
): Promise<void> {
  const database = join(home, databasePath)
  // The schema comes first: the later checks would run triggers and views that a hostile backup may contain.
  await checkSchema(database, { ...options, scratch: join(home, 'data', 'compared.db') })
  const damage = await damageOf(database)
  if (damage.length > 0) throw bad(`its database is damaged: ${damage.slice(0, 3).join('; ')}`)
  const { schema, rows } = await readDatabaseFacts(database)
  if (schema !== manifest.schema) throw bad(`its database has the migration ${schema}, its manifest says ${manifest.schema}`)
  const tables = new Set([...Object.keys(rows), ...Object.keys(manifest.rows)])
  const wrong = [...tables].find((table) => rows[table] !== manifest.rows[table])
  if (wrong !== undefined)
    throw bad(`its table ${wrong} has ${rows[wrong] ?? 'no'} rows, its manifest says ${manifest.rows[wrong] ?? 'none'}`)
  await trySite(home)
}

/** Finds damage. A file that is not a database fails to open, and the error describes its damage. */
async function damageOf(database: string): Promise<readonly string[]> {
  try {
    return await findFileDamage(database)
  } catch (error) {
    return [errorMessage(error)]
  }
}

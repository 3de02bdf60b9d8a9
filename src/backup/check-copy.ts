// Whether an unpacked backup is a site that works: its database whole, with the rows that its manifest counts, of a schema that this code
// knows, brought up to date and opened until it answers as ready. How a site is opened is handed in.

import { join } from 'node:path'
import { errorMessage } from '../error-message.ts'
import { Failure } from '../failure.ts'
import { checkSchema, type SchemaOptions } from './check-schema.ts'
import { findFileDamage, readDatabaseFacts } from '../store/database-file.ts'
import { databasePath, type BackupManifest } from './manifest.ts'

/** Opens the site of a home, has it say that it is ready, and closes it. @throws Failure where it doesn't come so far */
export type TrySite = (home: string) => Promise<void>

/** @throws Failure `unprocessable` for a damaged or hostile copy, `refused` for one that is newer than the code or lacks its key */
export async function checkCopy(
  home: string,
  manifest: BackupManifest,
  trySite: TrySite,
  options: Pick<SchemaOptions, 'later'>,
): Promise<void> {
  const database = join(home, databasePath)
  // First: all that follows runs what a stranger's schema may have put into the database.
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

/** What is no database at all can't even be asked. */
async function damageOf(database: string): Promise<readonly string[]> {
  try {
    return await findFileDamage(database)
  } catch (error) {
    return [errorMessage(error)]
  }
}

const bad = (what: string) => new Failure('unprocessable', `This backup is of no use: ${what}.`)

// Upload links may take several files, which a person drops on a page. Each link counts its files and names those that came.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The previous release writes links without these columns. Each of those takes one file.
  await addColumns(db, 'upload_link', `max_files integer = 1, files integer = 0, bytes bigint = 0, arrived text = ''`)
}

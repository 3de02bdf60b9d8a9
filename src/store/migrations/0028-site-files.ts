// Small files of the owner at the top of the site, such as `ads.txt`, by their paths.

import type { Kysely } from 'kysely'
import { createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, { site_file: `path key, text text, ${revisioned}` })
}

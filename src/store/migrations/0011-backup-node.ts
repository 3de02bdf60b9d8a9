// The machine that has a backup. Several machines share the list of backups, and each has its own files.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null in the rows of earlier releases, whose sites had one machine.
  await addColumns(db, 'backup', 'node text?')
}

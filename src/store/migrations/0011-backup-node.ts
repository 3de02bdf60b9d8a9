// The machine that has a backup. Several machines share the list of backups, and each has its own files.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null in the rows of earlier releases, whose sites had one machine.
  await db.schema.alterTable('backup').addColumn('node', 'text').execute()
}

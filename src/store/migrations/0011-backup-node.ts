// The machine on which a backup lies. Several machines share the list of backups, and each has files of its own.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  // Null in the rows of earlier releases, whose sites had one machine.
  await db.schema.alterTable('backup').addColumn('node', 'text').execute()
}

// What the public lists need: the entries of an author by date. And what a commit has changed of the rows that pages read, so that other processes
// drop only the pages that read them.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('recent_change').addColumn('changed_rows', 'text').execute()
}

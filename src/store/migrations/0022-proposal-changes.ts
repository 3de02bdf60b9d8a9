// The changes that a proposal showed, for comparison with those of an approval, and the rights of its proposer at that time.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('proposal').addColumn('changes', 'text').execute()
  await db.schema.alterTable('proposal').addColumn('digest', 'text').execute()
  await db.schema.alterTable('proposal').addColumn('proposer', 'text').execute()
}

// The changes that a proposal was shown to make, so that an approval can be compared with them, and the rights of its proposer
// at that time.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('proposal').addColumn('changes', 'text').execute()
  await db.schema.alterTable('proposal').addColumn('digest', 'text').execute()
  await db.schema.alterTable('proposal').addColumn('proposer', 'text').execute()
}

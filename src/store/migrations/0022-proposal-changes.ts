// The changes that a proposal showed, for comparison with those of an approval, and the rights of its proposer at that time.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'proposal', 'changes text?, digest text?, proposer text?')
}

// The objects that the calls of a proposal change and make, by the names that their proposer may use, so that a further call about
// one of them joins the proposal.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'proposal', 'touches text?')
}

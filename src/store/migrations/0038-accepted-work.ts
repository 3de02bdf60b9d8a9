// The person who accepted a change that somebody else proposed, so that the work stays under the name of its proposer; and the
// proposal of which another one was made.

import type { Kysely } from 'kysely'
import { addColumns, createIndexes } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'activity', 'accepted_by text?, accepted_by_id text?')
  await addColumns(db, 'proposal', 'replaces text?')
  await createIndexes(db, 'proposal', { proposal_by_replaced: 'replaces' })
}

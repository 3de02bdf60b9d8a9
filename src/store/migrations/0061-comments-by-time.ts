// Comments by time, in the order of an index.

import type { Kysely } from 'kysely'
import { createIndexes } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createIndexes(db, 'comment', { comment_by_time: 'created_at, id' })
}

// The rules of a type for its public lists: their order, what they hide, and the fields that they show.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  // The default is for the previous release, which doesn't know the column.
  await addColumns(db, 'entry_type', 'list text = {}')
}

// The words that occur in entries, split into groups of three letters, so that a search without results can suggest another spelling. All entries
// become due, because the words are collected when an entry is put into the search index. The site is served and searched meanwhile.

import type { Kysely } from 'kysely'
import { createTermTable } from '../search.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTermTable(db)
}

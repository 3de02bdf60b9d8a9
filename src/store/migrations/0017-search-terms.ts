// The words that occur in entries, split into groups of three letters, so that a search without results can suggest another
// spelling. All entries become due, because words are collected when an entry is indexed. The site is served and searched at the
// same time.

import type { Kysely } from 'kysely'
import { searchOf } from '../search/search.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await searchOf(db).createTerms(db)
}

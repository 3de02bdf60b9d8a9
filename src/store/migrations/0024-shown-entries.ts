// A search must not depend on entries that the caller may not see, so the search index gets to know who is shown an entry. Also, letters are folded by
// Postern alone now: the entries whose folded text may differ become due, and are indexed anew while the site is served and searched.

import type { Kysely } from 'kysely'
import { addShownEntries } from '../search.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addShownEntries(db)
}

// A search must not depend on entries that the caller may not see, so the search index gets the public time of each entry. Also,
// only Postern folds letters now. Entries whose folded text may differ become due, and are indexed again while the site is served
// and searched. The final sigma folds to the other sigma, also in the texts that `has` searches.

import { type Kysely, sql } from 'kysely'
import { searchOf } from '../search/search.ts'

const folded = { entry_folded: ['title', 'slug', 'path', 'excerpt'], entry_folded_body: ['body'] }

export async function up(db: Kysely<unknown>): Promise<void> {
  await searchOf(db).addShown(db)
  for (const [table, columns] of Object.entries(folded))
    for (const column of columns.map((name) => sql.ref(name)))
      await sql`update ${sql.table(table)} set ${column} = replace(${column}, 'ς', 'σ') where ${column} like '%ς%'`.execute(db)
}

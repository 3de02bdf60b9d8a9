// A search must not depend on entries that the caller may not see, so the search index gets to know who is shown an entry. Also, letters are folded by
// Postern alone now: the entries whose folded text may differ become due, and are indexed anew while the site is served and searched. The sigma at the
// end of a word folds to the other sigma, in the texts that `has` looks in, too.

import { type Kysely, sql } from 'kysely'
import { addShownEntries } from '../search.ts'

const folded = { entry_folded: ['title', 'slug', 'path', 'excerpt'], entry_folded_body: ['body'] }

export async function up(db: Kysely<unknown>): Promise<void> {
  await addShownEntries(db)
  for (const [table, columns] of Object.entries(folded))
    for (const column of columns.map((name) => sql.ref(name)))
      await sql`update ${sql.table(table)} set ${column} = replace(${column}, 'ς', 'σ') where ${column} like '%ς%'`.execute(db)
}

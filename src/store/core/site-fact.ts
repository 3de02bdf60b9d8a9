// Facts of the site that are no settings, one text each by its name.

import type { Db } from './database.ts'

export async function findFact(db: Db, name: string): Promise<string | undefined> {
  const row = await db.selectFrom('site_fact').select('value').where('name', '=', name).executeTakeFirst()
  return row?.value
}

/** Stores a fact in place of its former value. */
export async function putFact(db: Db, name: string, value: string): Promise<void> {
  await db
    .insertInto('site_fact')
    .values({ name, value })
    .onConflict((on) => on.column('name').doUpdateSet({ value }))
    .execute()
}

// Theme files record if a writer without limits wrote their text. Only such text may run in the browsers of visitors.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('theme_file').addColumn('vouched', 'text').execute()
}

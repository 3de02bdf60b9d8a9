// Theme files record if a writer without limits wrote their text. Only such text may run in the browsers of visitors.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'theme_file', 'vouched text?')
}

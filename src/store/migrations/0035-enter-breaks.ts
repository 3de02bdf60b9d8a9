// The choice of a person for their editor: 1 if Enter breaks the line, 0 if it is a new line of Markdown.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'account', 'enter_breaks integer = 1')
}

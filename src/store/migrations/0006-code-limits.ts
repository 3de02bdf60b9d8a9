// An authorization code stores the limits that the owner chose. When the code is exchanged, they become the limits of the connected
// app.

import type { Kysely } from 'kysely'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'auth_code', 'limits text = {}')
}

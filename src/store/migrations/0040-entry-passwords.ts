// The password of an entry, which visitors type to read it.

import type { Kysely } from 'kysely'
import { searchOf } from '../search/search.ts'
import { addColumns } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await addColumns(db, 'entry', 'password_hash text?')
  await searchOf(db).addPasswords(db)
}

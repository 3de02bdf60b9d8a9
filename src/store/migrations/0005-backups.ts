// The backups that were made, each with the result of its last test, and the schedule of backups.

import type { Kysely } from 'kysely'
import { createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    backup: `
      id key, file text unique, created_at bigint, bytes bigint, sha256 text, note text?, version text, schema text,
      verified_at bigint?, error text?`,
  })
  await createIndexes(db, 'backup', { backup_created: 'created_at, id' })
  await createTables(db, {
    backup_schedule: `name key, every text, daily integer, weekly integer, monthly integer, next_at bigint?`,
  })
}

// The place on another machine to which sealed backups are sent, and the backups that were sent there.

import type { Kysely } from 'kysely'
import { createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    backup_target: `
      name key, settings text, secret text, every text, check_every text, since bigint, tried_at bigint?, reached_at bigint?,
      error text?`,
    backup_copy: `
      file key, created_at bigint, bytes bigint, sha256 text, note text?, node text, sent_at bigint?, verified_at bigint?,
      error text?`,
  })
}

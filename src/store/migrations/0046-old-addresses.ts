// The addresses that things of this site had on the sites from which they were imported: paths, and numbers such as that of
// `/?p=123`.

import type { Kysely } from 'kysely'
import { createIndexes, createTables } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    old_address: `old text, kind text, site text, id text unique, target_kind text, target_id text, created_at bigint;
      primary key (old, kind, site)`,
  })
  await createIndexes(db, 'old_address', {
    old_address_target: 'target_id, target_kind',
    old_address_kind: 'kind, id',
    old_address_created: 'created_at, id',
  })
}

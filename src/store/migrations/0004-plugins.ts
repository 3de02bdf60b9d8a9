// Plugins with their rights and registrations, the times of their jobs, and the owner's skills.

import type { Kysely } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    plugin: `
      id key, version text, package text, manifest text, signer text?, state text, reason text?, may text, settings text,
      secrets text, registered text, ${revisioned}`,
    plugin_job: 'plugin_id text, job integer, next_at bigint; primary key (plugin_id, job)',
  })
  // Stored answers are deleted by age, whichever caller they belong to.
  await createIndexes(db, 'idempotency', { idempotency_at: 'at' })
  await createTables(db, { skill: `slug key, when text, text text, ${revisioned}` })
}

// Preview links get their maker and the revision that they show. They can be listed and ended, and their number is limited per
// caller. Links of the previous release have none of this and end. Upload links and answered consent pages are limited too.

import type { Kysely } from 'kysely'

const texts = ['owner', 'maker', 'account_id', 'by_name', 'token_name', 'entry_id', 'theme', 'title'] as const

const indexes: readonly (readonly [name: string, table: string, columns: readonly string[]])[] = [
  ['preview_created', 'preview', ['created_at', 'id']],
  ['preview_owner_created', 'preview', ['owner', 'created_at', 'id']],
  ['preview_account_created', 'preview', ['account_id', 'created_at', 'id']],
  ['preview_expiry', 'preview', ['expires_at', 'id']],
  ['upload_link_owner', 'upload_link', ['owner', 'used_at', 'expires_at']],
  ['upload_link_expiry', 'upload_link', ['expires_at']],
  ['consent_answer_owner', 'consent_answer', ['owner', 'expires_at']],
]

export async function up(db: Kysely<unknown>): Promise<void> {
  for (const column of texts) await db.schema.alterTable('preview').addColumn(column, 'text').execute()
  await db.schema.alterTable('preview').addColumn('revision', 'integer').execute()
  // The previous release writes previews without these columns.
  await db.schema
    .alterTable('preview')
    .addColumn('created_at', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
  for (const column of ['follow', 'live'])
    await db.schema
      .alterTable('preview')
      .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  for (const table of ['upload_link', 'consent_answer']) await db.schema.alterTable(table).addColumn('owner', 'text').execute()
  for (const [name, table, columns] of indexes)
    await db.schema
      .createIndex(name)
      .on(table)
      .columns([...columns])
      .execute()
}

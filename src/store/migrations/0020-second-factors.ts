// Second factors of accounts, and the address and browser of each session.

import type { Kysely } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('account')
    .addColumn('second_factor', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  // The time of the last change of the second factors, and the account that ended them for the owner, if any. Admins see this for a
  // while.
  await db.schema.alterTable('account').addColumn('second_factor_at', 'bigint').execute()
  await db.schema.alterTable('account').addColumn('second_factor_ended_by', 'text').execute()
  // Null in the rows of earlier releases.
  await db.schema.alterTable('session').addColumn('address', 'text').execute()
  await db.schema.alterTable('session').addColumn('agent', 'text').execute()
  await db.schema
    .createTable('totp')
    .addColumn('account_id', 'text', (c) => c.primaryKey().references('account.id').onDelete('cascade'))
    .addColumn('secret', 'text', (c) => c.notNull())
    .addColumn('last_step', 'bigint', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('passkey')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('rp_id', 'text', (c) => c.notNull())
    .addColumn('public_key', 'text', (c) => c.notNull())
    .addColumn('counter', 'bigint', (c) => c.notNull())
    .addColumn('transports', 'text', (c) => c.notNull())
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('passkey_account').on('passkey').columns(['account_id']).execute()
  await db.schema
    .createTable('recovery_code')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('recovery_code_account').on('recovery_code').columns(['account_id']).execute()
  await db.schema
    .createTable('spent_challenge')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
}

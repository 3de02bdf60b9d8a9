// The tables for connected apps: authorization codes, grants, and the tokens issued under a grant.

import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  await grants(db)
  await secrets(db)
  await uses(db)
}

async function grants(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('app_grant')
    .addColumn('id', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('client_hash', 'text', (c) => c.notNull())
    .addColumn('client', 'text', (c) => c.notNull())
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('host', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('limits', 'text', (c) => c.notNull())
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('revoked_at', 'bigint')
    .addColumn('created_at', 'bigint', (c) => c.notNull())
    .addColumn('updated_at', 'bigint', (c) => c.notNull())
    .addColumn('revision', 'integer', (c) => c.notNull())
    .execute()
}

async function secrets(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('auth_code')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('account_id', 'text', (c) => c.notNull().references('account.id').onDelete('cascade'))
    .addColumn('client_hash', 'text', (c) => c.notNull())
    .addColumn('redirect_uri', 'text', (c) => c.notNull())
    .addColumn('code_challenge', 'text', (c) => c.notNull())
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('epoch', 'integer', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .addColumn('used_at', 'bigint')
    .addColumn('grant_id', 'text')
    .execute()
  await db.schema
    .createTable('access_token')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('grant_id', 'text', (c) => c.notNull().references('app_grant.id').onDelete('cascade'))
    .addColumn('scope', 'text', (c) => c.notNull())
    .addColumn('expires_at', 'bigint', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('refresh_token')
    .addColumn('hash', 'text', (c) => c.primaryKey())
    .addColumn('grant_id', 'text', (c) => c.notNull().references('app_grant.id').onDelete('cascade'))
    .addColumn('used_at', 'bigint')
    .execute()
  await db.schema.createIndex('auth_code_expiry').on('auth_code').columns(['expires_at']).execute()
  await db.schema.createIndex('access_token_expiry').on('access_token').columns(['expires_at']).execute()
  await db.schema.createIndex('access_token_grant').on('access_token').columns(['grant_id']).execute()
  await db.schema.createIndex('refresh_token_grant').on('refresh_token').columns(['grant_id']).execute()
}

/** Removes the foreign key from `token_use`, because the table now also records the uses of grants. */
async function uses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('token_use').renameTo('token_use_before').execute()
  await db.schema
    .createTable('token_use')
    .addColumn('token_id', 'text', (c) => c.primaryKey())
    .addColumn('used_at', 'bigint', (c) => c.notNull())
    .execute()
  await sql`insert into token_use (token_id, used_at) select token_id, used_at from token_use_before`.execute(db)
  await db.schema.dropTable('token_use_before').execute()
}

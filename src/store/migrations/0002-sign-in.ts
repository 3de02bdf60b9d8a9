// The tables for connected apps: authorization codes, grants, and the tokens issued under a grant.

import { type Kysely, sql } from 'kysely'
import { createIndexes, createTables, revisioned } from './ddl.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  await grants(db)
  await secrets(db)
  await uses(db)
}

async function grants(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    app_grant: `
      id key, account_id text of account, client_hash text, client text, name text, host text, scope text, limits text,
      epoch integer, expires_at bigint, revoked_at bigint?, ${revisioned}`,
  })
}

async function secrets(db: Kysely<unknown>): Promise<void> {
  await createTables(db, {
    auth_code: `
      hash key, account_id text of account, client_hash text, redirect_uri text, code_challenge text, scope text,
      epoch integer, expires_at bigint, used_at bigint?, grant_id text?`,
    access_token: 'hash key, grant_id text of app_grant, scope text, expires_at bigint',
    refresh_token: 'hash key, grant_id text of app_grant, used_at bigint?',
  })
  await createIndexes(db, 'auth_code', { auth_code_expiry: 'expires_at' })
  await createIndexes(db, 'access_token', { access_token_expiry: 'expires_at', access_token_grant: 'grant_id' })
  await createIndexes(db, 'refresh_token', { refresh_token_grant: 'grant_id' })
}

/** Removes the foreign key from `token_use`, because the table now also records the uses of grants. */
async function uses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('token_use').renameTo('token_use_before').execute()
  await createTables(db, { token_use: 'token_id key, used_at bigint' })
  await sql`insert into token_use (token_id, used_at) select token_id, used_at from token_use_before`.execute(db)
  await db.schema.dropTable('token_use_before').execute()
}

// Grants and the tokens issued under them. Only hashes of tokens are stored. The tokens that replace a refresh token are derived
// from it, so that a repeated request gets the same answer although no usable token is stored.

import { createHmac, randomBytes } from 'node:crypto'
import { lowerScope, type AccountRole, type Scope, scopeOfRole } from '../../identity/caller.ts'
import { hashSecret } from '../../identity/token-store.ts'
import type { SiteKey } from '../../identity/site-key.ts'
import type { Change } from '../../store/change/change.ts'
import type { Db } from '../../store/core/database.ts'
import { newId } from '../../store/core/ids.ts'
import type { AccountRow, AppGrantRow, RefreshTokenRow } from '../../store/core/schema.ts'

const dayMs = 24 * 60 * 60 * 1000
/** The lifetime of a grant, and of an access token under a grant with refresh tokens. */
const grantMs = 30 * dayMs
const accessMs = 60 * 60 * 1000
/** A refresh repeated within this time gets the first answer again. */
export const retryMs = 30_000

/** A successful answer of the token endpoint. @see RFC 6749 §5.1 */
export interface IssuedTokens {
  readonly access_token: string
  readonly token_type: 'Bearer'
  /** The lifetime in seconds. */
  readonly expires_in: number
  readonly scope: string
  readonly refresh_token?: string
}

interface Secrets {
  readonly access: string
  /** Undefined if the grant has one access token that lives as long as the grant. */
  readonly refresh: string | undefined
}

export function randomSecrets(refreshes: boolean): Secrets {
  const text = () => randomBytes(32).toString('base64url')
  return { access: `psa_${text()}`, refresh: refreshes ? `psr_${text()}` : undefined }
}

/** The secrets that replace a refresh token, derived from it. */
export function successorsOf(key: SiteKey, refreshToken: string): Secrets {
  const derive = (kind: string) =>
    createHmac('sha256', key.derive('oauth-refresh')).update(`${kind} ${refreshToken}`).digest('base64url')
  return { access: `psa_${derive('access')}`, refresh: `psr_${derive('refresh')}` }
}

export type GrantFacts = Pick<AppGrantRow, 'client_hash' | 'client' | 'host' | 'scope' | 'limits'>

/** Makes a grant of 30 days. Its scope never exceeds the account's role. */
export async function makeGrant(change: Change, account: AccountRow, facts: GrantFacts): Promise<AppGrantRow> {
  const { now } = change
  return change.insert('app', {
    ...facts,
    id: newId(now),
    account_id: account.id,
    name: facts.client,
    scope: lowerScope(facts.scope as Scope, scopeOfRole(account.role as AccountRole)),
    epoch: account.epoch,
    expires_at: now + grantMs,
    revoked_at: null,
  })
}

export async function findGrant(db: Db, id: string): Promise<{ grant: AppGrantRow; account: AccountRow } | undefined> {
  const grant = await db.selectFrom('app_grant').selectAll().where('id', '=', id).executeTakeFirst()
  const account = grant && (await db.selectFrom('account').selectAll().where('id', '=', grant.account_id).executeTakeFirst())
  return grant && account && { grant, account }
}

/** Stores the hashes of new tokens under a grant and returns the answer with the tokens. */
export async function issueTokens(
  db: Db,
  grant: AppGrantRow,
  { secrets, scope, now }: { secrets: Secrets; scope: string; now: number },
): Promise<IssuedTokens> {
  const expiresAt = secrets.refresh === undefined ? grant.expires_at : Math.min(now + accessMs, grant.expires_at)
  await db
    .insertInto('access_token')
    .values({ hash: hashSecret(secrets.access), grant_id: grant.id, scope, expires_at: expiresAt })
    .execute()
  if (secrets.refresh !== undefined) {
    await db
      .insertInto('refresh_token')
      .values({ hash: hashSecret(secrets.refresh), grant_id: grant.id, used_at: null })
      .execute()
  }
  return answerOf(secrets, scope, expiresAt - now)
}

/** The earlier answer with these secrets, issued at that time; undefined if they were never issued. */
export async function findIssued(db: Db, secrets: Secrets, at: number): Promise<IssuedTokens | undefined> {
  const row = await db.selectFrom('access_token').selectAll().where('hash', '=', hashSecret(secrets.access)).executeTakeFirst()
  return row && answerOf(secrets, row.scope, row.expires_at - at)
}

function answerOf({ access, refresh }: Secrets, scope: string, lastsMs: number): IssuedTokens {
  const refreshable = refresh === undefined ? {} : { refresh_token: refresh }
  return { access_token: access, token_type: 'Bearer', expires_in: Math.floor(lastsMs / 1000), scope, ...refreshable }
}

/** The refresh token with this hash, used or not. */
export async function findRefresh(db: Db, hash: string): Promise<RefreshTokenRow | undefined> {
  return db.selectFrom('refresh_token').selectAll().where('hash', '=', hash).executeTakeFirst()
}

/** Marks a refresh token as used; false if it was used before. */
export async function takeRefresh(db: Db, hash: string, now: number): Promise<boolean> {
  const taken = await db
    .updateTable('refresh_token')
    .set({ used_at: now })
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('hash')
    .executeTakeFirst()
  return taken !== undefined
}

/** The grant under which an access or refresh token was issued. */
export async function findGrantId(db: Db, tokenHash: string): Promise<string | undefined> {
  const access = await db.selectFrom('access_token').select('grant_id').where('hash', '=', tokenHash).executeTakeFirst()
  return access?.grant_id ?? (await findRefresh(db, tokenHash))?.grant_id
}

/** Deletes access tokens that expired more than a day ago, and refresh tokens of grants that expired that long ago. */
export async function sweepTokens(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('access_token')
    .where('expires_at', '<', now - dayMs)
    .execute()
  const ended = db
    .selectFrom('app_grant')
    .select('id')
    .where('expires_at', '<', now - dayMs)
  await db.deleteFrom('refresh_token').where('grant_id', 'in', ended).execute()
}

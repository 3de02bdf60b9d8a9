// Looks up the hash of a bearer secret in the database: the hash of a personal token, or of an access token, which belongs to a
// grant. `token-store.ts` caches the result and checks the expiry.

import { createAddressSet } from '../http/addresses.ts'
import type { Db } from '../store/core/database.ts'
import {
  type Caller,
  type CallerToken,
  lowerScope,
  type AccountRole,
  type Scope,
  scopeOfRole,
  type TokenLimits,
} from './caller.ts'

/** The token and account of a valid secret. They depend neither on the time nor on the request. */
export interface Known {
  readonly token: CallerToken
  readonly account: NonNullable<Caller['account']>
  readonly tier: Scope
  /** The end of the secret, in UTC milliseconds; null if it never ends. An access token may expire before its grant. */
  readonly expiresAt: number | null
  readonly mayComeFrom: ((address: string) => boolean) | undefined
}

/** Finds a personal token. Undefined if the hash is unknown, the token is revoked, or its account is disabled. */
export async function findPersonal(db: Db, hash: string): Promise<Known | undefined> {
  const row = await db
    .selectFrom('token')
    .innerJoin('account', 'account.id', 'token.account_id')
    .selectAll('token')
    .select(['account.email', 'account.name as account_name', 'account.role'])
    .where('token.hash', '=', hash)
    .where('token.revoked_at', 'is', null)
    .where('account.disabled', '=', 0)
    .executeTakeFirst()
  return row && knownOf('personal', { ...row, secret_expires_at: row.expires_at })
}

/**
 * Finds an access token. Undefined if the hash is unknown or the grant has ended: the grant was revoked, its account was disabled
 * or ended all its sessions, or the account's role is lower than the grant's scope.
 */
export async function findAccess(db: Db, hash: string): Promise<Known | undefined> {
  const row = await db
    .selectFrom('access_token')
    .innerJoin('app_grant', 'app_grant.id', 'access_token.grant_id')
    .innerJoin('account', 'account.id', 'app_grant.account_id')
    .selectAll('app_grant')
    .select(['access_token.scope as access_scope', 'access_token.expires_at as access_expires_at'])
    .select(['account.email', 'account.name as account_name', 'account.role'])
    .where('access_token.hash', '=', hash)
    .where('app_grant.revoked_at', 'is', null)
    .where('account.disabled', '=', 0)
    .whereRef('account.epoch', '=', 'app_grant.epoch')
    .executeTakeFirst()
  if (!row || !coversScope(row.role as AccountRole, row.scope as Scope)) return undefined
  return knownOf('access', {
    ...row,
    scope: lowerScope(row.scope as Scope, row.access_scope as Scope),
    secret_expires_at: Math.min(row.expires_at, row.access_expires_at),
  })
}

export function coversScope(role: AccountRole, scope: Scope): boolean {
  return lowerScope(scopeOfRole(role), scope) === scope
}

/** The columns of a token or a grant, joined with its account. */
interface SecretRow {
  readonly id: string
  readonly name: string
  readonly scope: string
  readonly limits: string
  readonly expires_at: number | null
  readonly secret_expires_at: number | null
  readonly account_id: string
  readonly email: string
  readonly account_name: string
  readonly role: string
}

function knownOf(kind: CallerToken['kind'], row: SecretRow): Known {
  const role = row.role as AccountRole
  const scope = row.scope as Scope
  const limits = JSON.parse(row.limits) as TokenLimits
  return {
    token: { kind, id: row.id, name: row.name, scope, expiresAt: row.expires_at, limits },
    account: { id: row.account_id, email: row.email, name: row.account_name, role },
    tier: lowerScope(scope, scopeOfRole(role)),
    expiresAt: row.secret_expires_at,
    mayComeFrom: limits.addresses && createAddressSet(limits.addresses),
  }
}

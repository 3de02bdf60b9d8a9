// Finds grants by id or name, and determines their state.

import type { Db } from '../store/core/database.ts'
import type { AccountRow, AppGrantRow } from '../store/core/schema.ts'
import type { AccountRole, Scope } from './caller.ts'
import { coversScope } from './known-secret.ts'
import { oneNamed } from './one-named.ts'

/** The states of a grant. `ended` means that the grant's account was disabled, now has a lower role, or ended all its sessions. */
export const grantStates = ['active', 'expired', 'revoked', 'ended'] as const
export type GrantState = (typeof grantStates)[number]

/** The state of a grant. @param now UTC milliseconds */
export function grantState(
  grant: AppGrantRow,
  account: Pick<AccountRow, 'disabled' | 'epoch' | 'role'> | undefined,
  now: number,
): GrantState {
  if (grant.revoked_at !== null) return 'revoked'
  if (grant.expires_at <= now) return 'expired'
  return account && standsBehind(account, grant) ? 'active' : 'ended'
}

/** True if an account still allows a scope that was granted in its name at this epoch. */
export function standsBehind(
  account: Pick<AccountRow, 'disabled' | 'epoch' | 'role'>,
  { epoch, scope }: { readonly epoch: number; readonly scope: string },
): boolean {
  return account.disabled === 0 && account.epoch === epoch && coversScope(account.role as AccountRole, scope as Scope)
}

/**
 * Finds a grant by id, or by a name that only one usable grant has. An exact id wins.
 * @throws Failure `not_found`; `conflict` if several grants have the name
 */
export async function getGrant(db: Db, idOrName: string, now: number): Promise<AppGrantRow> {
  const byId = await db.selectFrom('app_grant').selectAll().where('id', '=', idOrName).executeTakeFirst()
  if (byId) return byId
  const named = await db
    .selectFrom('app_grant')
    .selectAll()
    .where('name', '=', idOrName)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id')
    .limit(20)
    .execute()
  return oneNamed('app', idOrName, named)
}

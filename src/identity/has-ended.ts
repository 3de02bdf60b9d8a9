// Checks if a caller still has access. A call is checked once, when it begins. Work that runs for minutes checks again.

import type { Db } from '../store/core/database.ts'
import { type CallerToken, isLowerRole, type AccountRole, type Scope, type Tier } from './caller.ts'
import { standsBehind } from './find-grant.ts'
import { coversScope } from './known-secret.ts'

/** The facts about a caller, or about the maker of a link, that access depends on. */
export interface Holder {
  readonly tier: Tier
  readonly account: { readonly id: string; readonly role: AccountRole } | null
  readonly token: Pick<CallerToken, 'kind' | 'id'> | null
}

/**
 * True if a caller has lost access since its call began: its token or app was revoked, or its account was disabled or has a lower
 * role. A token that has only expired may finish its work.
 */
export async function hasEnded(db: Db, { account, token, tier }: Holder): Promise<boolean> {
  if (!account) return false
  const now = await db.selectFrom('account').select(['disabled', 'epoch', 'role']).where('id', '=', account.id).executeTakeFirst()
  if (
    now &&
    (now.disabled === 1 ||
      isLowerRole(now.role as AccountRole, account.role) ||
      !coversScope(now.role as AccountRole, tier as Scope))
  )
    return true
  if (token?.kind === 'personal') {
    const row = await db.selectFrom('token').select('revoked_at').where('id', '=', token.id).executeTakeFirst()
    return row !== undefined && row.revoked_at !== null
  }
  if (token?.kind !== 'access') return false
  const grant = await db
    .selectFrom('app_grant')
    .select(['revoked_at', 'epoch', 'scope'])
    .where('id', '=', token.id)
    .executeTakeFirst()
  if (!grant) return false
  return (
    grant.revoked_at !== null ||
    !coversScope(grant.scope as Scope, tier as Scope) ||
    (now !== undefined && !standsBehind(now, grant))
  )
}

// The proposer of calls. Approved calls run as the proposer's account, so that they make the changes that were shown. Three sets of
// limits apply: the proposer's at the time of the proposal, the proposer's present ones, and the approver's.

import {
  type AccountRole,
  type Caller,
  limitsOf,
  lowerScope,
  type Scope,
  scopeOfRole,
  type Tier,
  type TokenLimits,
  tiers,
} from '../../identity/caller.ts'
import { callerOfAccount } from '../../identity/account-store.ts'
import { grantState } from '../../identity/find-grant.ts'
import type { Db } from '../../store/core/database.ts'
import type { AccountRow, AppGrantRow, ProposalRow, TokenRow } from '../../store/core/schema.ts'

/** The tier and the limits of a proposer when it proposed. */
interface Rights {
  readonly tier: Tier
  readonly limits: readonly TokenLimits[]
}

/** The stored rights of a proposer. */
export const rightsOf = (caller: Caller): Rights => ({ tier: caller.tier, limits: limitsOf(caller) })

/** The caller for the trial of calls before they are proposed. */
export const asProposing = (caller: Caller): Caller => ({ ...caller, proposal: { limits: [] } })

export interface Proposer {
  /** True if the proposer's token, app or account has ended, or may no longer make the calls. */
  readonly ended: boolean
  caller(approver: Caller): Caller
}

type Row = Pick<ProposalRow, 'account_id' | 'token_id' | 'proposer' | 'tier'>

/** Finds the proposers of these proposals in their present state. */
export async function findProposers(db: Db, rows: readonly Row[], now: number): Promise<(row: Row) => Proposer> {
  const accounts = await byId<AccountRow>(
    db,
    'account',
    rows.map(({ account_id: id }) => id),
  )
  const ids = rows.map(({ token_id: id }) => id)
  const tokens = await byId<TokenRow>(db, 'token', ids)
  const grants = await byId<AppGrantRow>(
    db,
    'app_grant',
    ids.filter((id) => id !== null && !tokens.has(id)),
  )
  return (row) => {
    const account = accounts.get(row.account_id ?? '')
    const [token, grant] = [tokens.get(row.token_id ?? ''), grants.get(row.token_id ?? '')]
    return proposerOf({ row, account, token, grant, now })
  }
}

async function byId<R extends { readonly id: string }>(
  db: Db,
  table: 'account' | 'token' | 'app_grant',
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, R>> {
  const asked = [...new Set(ids.filter((id) => id !== null))]
  if (asked.length === 0) return new Map()
  const rows = (await db.selectFrom(table).selectAll().where('id', 'in', asked).execute()) as unknown as readonly R[]
  return new Map(rows.map((row) => [row.id, row]))
}

interface Found {
  readonly row: Row
  readonly account: AccountRow | undefined
  readonly token: TokenRow | undefined
  readonly grant: AppGrantRow | undefined
  readonly now: number
}

function proposerOf(found: Found): Proposer {
  const { row, account, token, grant } = found
  const then = row.proposer === null ? { tier: row.tier as Tier, limits: [] } : (JSON.parse(row.proposer) as Rights)
  const tierNow = tierOf(found)
  const ended = hasEnded(found) || lower(tierNow, row.tier as Tier) !== row.tier
  const credential = token ?? grant
  const limits = [...then.limits, ...(credential ? [JSON.parse(credential.limits) as TokenLimits] : [])]
  return {
    ended,
    caller: (approver) => ({
      ...approver,
      tier: lower(approver.tier, ended ? then.tier : lower(then.tier, tierNow)),
      account: row.account_id === null ? null : account ? callerOfAccount(account, approver.door).account : approver.account,
      proposal: { limits },
    }),
  }
}

/** Returns the present highest tier of the proposer. */
function tierOf({ account, token, grant }: Found): Tier {
  const scope = (token ?? grant)?.scope as Scope | undefined
  if (!account) return scope ?? 'admin'
  const own = scopeOfRole(account.role as AccountRole)
  return scope === undefined ? own : lowerScope(scope, own)
}

/** A bridge token never counts as ended: another system decides at each request if it is valid. */
function hasEnded({ row, account, token, grant, now }: Found): boolean {
  if (row.account_id !== null && (!account || account.disabled === 1)) return true
  if (row.token_id === null || row.token_id.startsWith('bridge:')) return false
  if (token) return token.revoked_at !== null || (token.expires_at !== null && token.expires_at <= now)
  return !grant || grantState(grant, account, now) !== 'active'
}

const lower = (a: Tier, b: Tier): Tier => (tiers.indexOf(a) <= tiers.indexOf(b) ? a : b)

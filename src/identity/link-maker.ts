// The maker of a link that works without a sign-in: an upload, a preview, a file, a backup. Every such link names its maker. This
// file checks every request with such a link, so that a link never outlives the rights that it was made with.

import { createHash } from 'node:crypto'
import { createAddressSet } from '../http/addresses.ts'
import { canonical, parseObject } from '../base/json.ts'
import type { Db } from '../store/core/database.ts'
import { type Caller, limitsOf, type TokenLimits } from './caller.ts'
import { hasEnded, type Holder } from './has-ended.ts'

/** The facts about the link's maker that the link contains. */
export interface LinkMaker extends Holder {
  readonly plugin: string | null
  /** A hash of the limits of the token; empty if it has none. */
  readonly limits: string
  /** Lists of address ranges. The address of a request must be in one range of each list. */
  readonly from: readonly (readonly string[])[]
}

export function makerOf(caller: Pick<Caller, 'tier' | 'account' | 'token' | 'plugin'>): LinkMaker {
  const { tier, account, token, plugin } = caller
  return {
    tier,
    account: account && { id: account.id, role: account.role },
    token: token && { kind: token.kind, id: token.id },
    plugin: plugin?.id ?? null,
    limits: hashOf(token?.limits ?? {}),
    from: limitsOf(caller).flatMap(({ addresses }) => (addresses ? [addresses] : [])),
  }
}

const hashOf = (limits: TokenLimits): string =>
  Object.keys(limits).length === 0 ? '' : createHash('sha256').update(canonical(limits)).digest('base64url').slice(0, 22)

export interface LinkUse {
  /** The client's network address; undefined to check the maker alone. */
  readonly address: string | undefined
  readonly now: number
}

/**
 * True if the maker of a link still has the rights for it, from this address. Limits can only be tightened, so a change of the
 * token's limits ends its earlier links.
 */
export async function isMakerAllowed(db: Db, maker: LinkMaker, { address, now }: LinkUse): Promise<boolean> {
  if (address !== undefined && !maker.from.every((ranges) => createAddressSet(ranges)(address))) return false
  if (await hasEnded(db, maker)) return false
  return (await hasAccount(db, maker)) && (await hasToken(db, maker, now)) && (await hasPlugin(db, maker))
}

async function hasAccount(db: Db, { account }: LinkMaker): Promise<boolean> {
  if (!account) return true
  return (await db.selectFrom('account').select('id').where('id', '=', account.id).executeTakeFirst()) !== undefined
}

const tables = { personal: 'token', access: 'app_grant' } as const

async function hasToken(db: Db, { token, limits }: LinkMaker, now: number): Promise<boolean> {
  if (!token) return true
  if (token.kind === 'bridge') return hasBridge(db)
  const row = await db
    .selectFrom(tables[token.kind])
    .select(['expires_at', 'limits', 'revoked_at'])
    .where('id', '=', token.id)
    .executeTakeFirst()
  if (!row || row.revoked_at !== null || (row.expires_at !== null && row.expires_at <= now)) return false
  return hashOf(JSON.parse(row.limits) as TokenLimits) === limits
}

/** True if some active plugin still accepts callers without a token of this site. */
async function hasBridge(db: Db): Promise<boolean> {
  const rows = await db.selectFrom('plugin').select('registered').where('state', '=', 'active').execute()
  return rows.some(({ registered }) => parseObject(registered)?.['authenticates'] === true)
}

async function hasPlugin(db: Db, { plugin }: LinkMaker): Promise<boolean> {
  if (plugin === null) return true
  const row = await db.selectFrom('plugin').select('state').where('id', '=', plugin).executeTakeFirst()
  return row?.state === 'active'
}

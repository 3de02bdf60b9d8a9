// The preview links that a caller may see and end.

import { type Caller, includesTier, limitsOf, ownerOf } from '../../identity/caller.ts'

/** True for an admin without limits, who sees all links. */
export const seesAll = (caller: Caller): boolean => includesTier(caller.tier, 'admin') && limitsOf(caller).length === 0

export const ownColumn = (caller: Caller): readonly ['owner' | 'account_id', string] =>
  caller.account && !caller.token ? ['account_id', caller.account.id] : ['owner', ownerOf(caller)]

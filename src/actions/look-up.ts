// Finds accounts and tokens by name. Only callers who may list them learn whether a name exists. For others, the answer is the same for a
// name that exists and one that doesn't (attack 143).

import { findAccount } from '../identity/account-store.ts'
import type { Context } from './action.ts'
import { isVisible } from './registry.ts'

/** True if a caller may list accounts, or tokens. */
export function mayLookUp(
  { site, caller }: Pick<Context, 'site' | 'caller'>,
  list: 'SVC_Accounts.list' | 'SVC_Tokens.list',
): boolean {
  const action = site.registry.find(list)
  return action !== undefined && isVisible(action, caller)
}

/**
 * The id of the account that an id or e-mail means. Callers who may not list accounts can give their own address; any other text is taken
 * as an id.
 * @returns undefined for an unknown name, only for callers who may list accounts
 */
export async function accountIdNamed(context: Context, name: string): Promise<string | undefined> {
  const own = context.caller.account
  if (own && (name === own.id || name.trim().toLowerCase() === own.email)) return own.id
  return mayLookUp(context, 'SVC_Accounts.list') ? (await findAccount(context.db, name))?.id : name
}

// Finds accounts and tokens by name. Only callers who may list them learn if a name exists. Other callers get the same answer for
// existing and unknown names (attack 143).

import { findAccount } from '../../identity/account-store.ts'
import type { Context } from '../call/action.ts'
import { isVisible } from '../call/registry.ts'

/** True if a caller may list accounts, or tokens. */
export function mayLookUp(
  { site, caller }: Pick<Context, 'site' | 'caller'>,
  list: 'SVC_Accounts.list' | 'SVC_Tokens.list',
): boolean {
  const action = site.registry.find(list)
  return action !== undefined && isVisible(action, caller)
}

/**
 * Returns the id of the account with an id or e-mail. Callers who may not list accounts can give their own address; any other text
 * is used as an id.
 * @returns undefined for an unknown name, but only for callers who may list accounts
 */
export async function accountIdNamed(context: Context, name: string): Promise<string | undefined> {
  const own = context.caller.account
  if (own && (name === own.id || name.trim().toLowerCase() === own.email)) return own.id
  return mayLookUp(context, 'SVC_Accounts.list') ? (await findAccount(context.db, name))?.id : name
}

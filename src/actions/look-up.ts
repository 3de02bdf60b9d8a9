// Accounts and tokens by the names that callers say. Only who may see the list of them learns whether a name is one: for everybody else
// a name that exists and one that doesn't are answered alike (ATTACKS 143).

import { findAccount } from '../identity/account-store.ts'
import type { Context } from './action.ts'
import { isVisible } from './registry.ts'

/** Whether a caller may look into the list of accounts, or of tokens. */
export function mayLookUp(
  { site, caller }: Pick<Context, 'site' | 'caller'>,
  list: 'SVC_Accounts.list' | 'SVC_Tokens.list',
): boolean {
  const action = site.registry.find(list)
  return action !== undefined && isVisible(action, caller)
}

/**
 * The account that an id or an e-mail stands for. Who may not look up accounts can say their own address; any other text stands for
 * itself, as if it were an id.
 * @returns undefined for a name that nothing has, told only to who may know that
 */
export async function accountIdNamed(context: Context, name: string): Promise<string | undefined> {
  const own = context.caller.account
  if (own && (name === own.id || name.trim().toLowerCase() === own.email)) return own.id
  return mayLookUp(context, 'SVC_Accounts.list') ? (await findAccount(context.db, name))?.id : name
}

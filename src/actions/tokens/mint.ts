// The common part of SVC_Tokens.create and rotate: a new secret, which only one answer contains and which is not stored.

import { Type } from 'typebox'
import { type Caller, limitsOf, type Scope, type TokenLimits } from '../../identity/caller.ts'
import { checkTighter } from '../../identity/token-limits.ts'
import { mintToken } from '../../identity/token-store.ts'
import { newId } from '../../store/core/ids.ts'
import type { TokenRow } from '../../store/core/schema.ts'
import type { WriteContext } from '../call/action.ts'
import { tokenItems } from '../shared/token-item.ts'

export const secret = Type.Optional(
  Type.String({ description: 'The secret. It is shown once: not in a dry run, and not in the answer to a repeated call.' }),
)

/** @throws Failure `refused` for limits wider than the caller's own */
export function checkOwnLimits(caller: Caller, given: TokenLimits): void {
  for (const own of limitsOf(caller)) checkTighter(own, given, 'Your own token')
}

interface NewToken extends Pick<TokenRow, 'account_id' | 'name' | 'expires_at'> {
  readonly scope: Scope
  readonly limits: TokenLimits
}

/** Stores a token with a new secret, and returns the answer that contains it. */
export async function mint(context: WriteContext, { limits, ...given }: NewToken) {
  const { change, now } = context
  const { hash, secret: token } = mintToken()
  const row = await change.insert('token', { ...given, id: newId(now), hash, limits: JSON.stringify(limits), revoked_at: null })
  return { item: (await tokenItems(context, [row]))(row), token, changed: [], warnings: [], activity_id: null }
}

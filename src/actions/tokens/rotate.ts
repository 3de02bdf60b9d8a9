import { Type } from 'typebox'
import { Failure } from '../../base/failure.ts'
import type { Scope, TokenLimits } from '../../identity/caller.ts'
import { getToken } from '../../identity/find-token.ts'
import { closed } from '../../base/schema.ts'
import { formatDateOrNull } from '../../settings/time-zone.ts'
import { action } from '../call/action.ts'
import { itemOutput, nullable } from '../call/write-answer.ts'
import { idProperty, tokenItem } from '../shared/token-item.ts'
import { checkOwnLimits, mint, secret } from './mint.ts'

export const rotate = action('SVC_Tokens.rotate', {
  title: 'Replace [the token {title}|a token]',
  summary: 'Replaces a token by one with a new secret. The old token ends at once, or after a grace period.',
  did: 'replaced [the token {title}|a token]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found', 'conflict'],
  touches: 'tokens',
  secrets: ['token'],
  input: closed({
    id: idProperty,
    grace: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 7 * 86_400,
        description: 'Seconds for which the old secret keeps working. The default is 0.',
      }),
    ),
  }),
  output: itemOutput(tokenItem, {
    token: secret,
    replaces: Type.Object({ id: Type.String(), expires_at: nullable(Type.String()), revoked_at: nullable(Type.String()) }),
  }),
  examples: [{ title: 'A new secret; the old one works for another hour', input: { id: 'Nightly export', grace: 3600 } }],
  async run(context, { id, grace = 0 }) {
    const { change, db, now } = context
    const before = await getToken(db, id)
    const { account_id, name, expires_at } = before
    if (before.revoked_at !== null || (expires_at !== null && expires_at <= now)) throw ended()
    const limits = JSON.parse(before.limits) as TokenLimits
    checkOwnLimits(context.caller, limits)
    const minted = await mint(context, { account_id, name, scope: before.scope as Scope, limits, expires_at })
    // The new token gets the name, because a name finds a token only if no other usable token has it.
    const end = grace === 0 ? { revoked_at: now } : { expires_at: Math.min(expires_at ?? Infinity, now + grace * 1000) }
    const { row } = await change.update('token', before, { name: `${name.slice(0, 180).toWellFormed()} (replaced)`, ...end })
    const replaces = { id: row.id, expires_at: formatDateOrNull(row.expires_at), revoked_at: formatDateOrNull(row.revoked_at) }
    return { ...minted, replaces }
  },
})

const ended = () =>
  new Failure('refused', 'This token has ended. Create a new one.', {
    rule: 'a token that has ended cannot be rotated',
    hint: 'Use SVC_Tokens.create.',
  })

// SVC_Tokens.create and rotate. Both make a new secret, which only one answer contains and which is not stored.

import { Type } from 'typebox'
import { findOldestAdmin, getAccount } from '../../identity/account-store.ts'
import {
  type Caller,
  limitsOf,
  lowerScope,
  type AccountRole,
  type Scope,
  scopeOfRole,
  scopes,
  type TokenLimits,
} from '../../identity/caller.ts'
import { getToken } from '../../identity/find-token.ts'
import { checkTighter } from '../../identity/token-limits.ts'
import { mintToken } from '../../identity/token-store.ts'
import { Failure } from '../../failure.ts'
import { parseDate } from '../../settings/time-zone.ts'
import type { Change } from '../../store/change.ts'
import { newId } from '../../store/ids.ts'
import type { AccountRow, TokenRow } from '../../store/schema.ts'
import { action, type WriteContext } from '../action.ts'
import { writeProperties } from '../write-answer.ts'
import { dateOrNull, idProperty, limitsInput, nameProperty, readLimits, tokenItem, tokenItems } from './token-item.ts'
import { closed } from '../../schema.ts'

const secret = Type.Optional(
  Type.String({ description: 'The secret. It is shown once: not in a dry run, and not in the answer to a repeated call.' }),
)

export const create = action('SVC_Tokens.create', {
  title: 'Create [the token {title}|a token]',
  summary: 'Creates a personal token. Its secret is answered once.',
  did: 'created [the token {title}|a token]',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'tokens',
  secrets: ['token'],
  input: closed({
    name: nameProperty,
    scope: Type.Enum([...scopes], {
      description: 'read: reads everything, drafts too. content: also writes entries. admin: everything.',
    }),
    limits: Type.Optional(limitsInput),
    expires_at: Type.Optional(
      Type.Union([Type.String({ maxLength: 50 }), Type.Null()], {
        description: 'When the token expires. The default is never.',
      }),
    ),
    account: Type.Optional(
      Type.String({
        description: 'E-mail or id of the account that the token acts as. The default is your own.',
        minLength: 1,
        maxLength: 254,
      }),
    ),
  }),
  output: Type.Object({ item: tokenItem, token: secret, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [
    { title: 'A token that only reads', input: { name: 'Backup script', scope: 'read' } },
    {
      title: 'A token that writes drafts, with an end',
      input: { name: 'Drafting assistant', scope: 'content', limits: { drafts_only: true }, expires_at: '2099-01-31' },
    },
  ],
  async run(context, { name, scope, limits, expires_at: expires, account: asked }) {
    const account = await accountFor(context, asked)
    const given = limits === undefined ? ownLimits(context.caller) : readLimits(context.site, limits)
    checkOwnLimits(context.caller, given)
    checkRole(account, scope)
    const expiresAt = expires === undefined || expires === null ? null : readExpiry(context, expires)
    return mint(context, { account_id: account.id, name: name.trim(), scope, limits: given, expires_at: expiresAt })
  },
})

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
  output: Type.Object({
    item: tokenItem,
    token: secret,
    replaces: Type.Object({
      id: Type.String(),
      expires_at: Type.Union([Type.String(), Type.Null()]),
      revoked_at: Type.Union([Type.String(), Type.Null()]),
    }),
    changed: Type.Array(Type.String()),
    ...writeProperties,
  }),
  examples: [{ title: 'A new secret; the old one works for another hour', input: { id: 'Nightly export', grace: 3600 } }],
  async run(context, { id, grace = 0 }) {
    const { change, db, now } = context
    const before = await getToken(db, id)
    if (before.revoked_at !== null || (before.expires_at !== null && before.expires_at <= now)) throw ended()
    const limits = JSON.parse(before.limits) as TokenLimits
    checkOwnLimits(context.caller, limits)
    const minted = await mint(context, {
      account_id: before.account_id,
      name: before.name,
      scope: before.scope as Scope,
      limits,
      expires_at: before.expires_at,
    })
    // The new token gets the name, because a name finds a token only if no other usable token has it.
    const name = `${before.name.slice(0, 180).toWellFormed()} (replaced)`
    const end = grace === 0 ? { revoked_at: now } : { expires_at: Math.min(before.expires_at ?? Infinity, now + grace * 1000) }
    const { row } = await change.update('token', before, { name, ...end })
    const replaces = { id: row.id, expires_at: dateOrNull(row.expires_at), revoked_at: dateOrNull(row.revoked_at) }
    return { ...minted, replaces }
  },
})

/** The default limits of a new token: those of the caller. */
const ownLimits = (caller: Caller): TokenLimits => Object.assign({}, ...limitsOf(caller)) as TokenLimits

/** @throws Failure `refused` for limits wider than the caller's own */
function checkOwnLimits(caller: Caller, given: TokenLimits): void {
  for (const own of limitsOf(caller)) checkTighter(own, given, 'Your own token')
}

const ended = () =>
  new Failure('refused', 'This token has ended. Create a new one.', {
    rule: 'a token that has ended cannot be rotated',
    hint: 'Use SVC_Tokens.create.',
  })

interface NewToken extends Pick<TokenRow, 'account_id' | 'name' | 'expires_at'> {
  readonly scope: Scope
  readonly limits: TokenLimits
}

async function mint(context: WriteContext & { change: Change }, { limits, ...given }: NewToken) {
  const { change, now } = context
  const minted = mintToken()
  const row = await change.insert('token', {
    ...given,
    id: newId(now),
    hash: minted.hash,
    limits: JSON.stringify(limits),
    revoked_at: null,
  })
  return { item: (await tokenItems(context, [row]))(row), token: minted.secret, changed: [], warnings: [], activity_id: null }
}

/** Returns the account of a new token: the named account, else the caller's, else (on the command line) the oldest admin. */
async function accountFor({ db, caller }: WriteContext, asked: string | undefined): Promise<AccountRow> {
  const named = asked ?? ownAccount(caller)
  const account = named === undefined ? await findOldestAdmin(db) : await getAccount(db, named)
  if (account?.disabled === 0) return account
  const sentence = account ? `The account ${account.email} is disabled.` : 'There is no account for the token to belong to.'
  throw new Failure('refused', sentence, {
    field: 'account',
    rule: 'a token belongs to an account that may sign in',
    hint: 'postern admin create --email you@example.org --name You creates an account.',
  })
}

const ownAccount = (caller: Caller): string | undefined => caller.account?.id

function checkRole({ role, email }: AccountRow, scope: Scope): void {
  const most = scopeOfRole(role as AccountRole)
  if (lowerScope(scope, most) === scope) return
  throw new Failure('refused', `The account ${email} has the role ${role}, and its tokens can't have the scope ${scope}.`, {
    field: 'scope',
    expected: scopes.slice(0, scopes.indexOf(most) + 1),
    rule: "an account's role caps its tokens",
  })
}

function readExpiry({ site, now }: WriteContext, text: string): number {
  const at = parseDate(text, site.settings.values.time_zone, 'end')
  if (at !== undefined && at > now) return at
  const expected = 'a future date, such as 2099-01-31 or 2099-01-31T12:00:00Z'
  throw new Failure('invalid', `"expires_at" must be ${expected}.`, { field: 'expires_at', expected })
}

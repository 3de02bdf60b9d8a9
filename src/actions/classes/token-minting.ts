// SVC_Tokens.create and rotate: the two ways to a new secret, which is answered once and kept nowhere.

import { Type } from 'typebox'
import { findOldestAdmin, getAccount } from '../../identity/account-store.ts'
import { type Caller, limitsOf, lowerScope, type Scope, scopes, type TokenLimits } from '../../identity/caller.ts'
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
import { factsOf, idProperty, itemOf, limitsInput, nameProperty, readLimits, tokenItem } from './token-item.ts'

const secret = Type.Optional(
  Type.String({ description: 'The secret, shown this once. Not in a dry run, nor in the answer to a repeated call.' }),
)

export const tokensCreate = action({
  class: 'SVC_Tokens',
  name: 'create',
  summary: 'Makes a personal token; its secret is answered once.',
  tier: 'admin',
  effect: 'write',
  failures: ['not_found'],
  touches: 'tokens',
  secrets: ['token'],
  input: Type.Object(
    {
      name: nameProperty,
      scope: Type.Enum([...scopes], {
        description: 'read: sees drafts too. content: writes entries as well. admin: everything.',
      }),
      limits: Type.Optional(limitsInput),
      expires_at: Type.Optional(
        Type.Union([Type.String({ maxLength: 50 }), Type.Null()], { description: 'When it ends; never, unless given.' }),
      ),
      account: Type.Optional(
        Type.String({
          description: 'E-mail or id of the account it acts as; your own unless given.',
          minLength: 1,
          maxLength: 254,
        }),
      ),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: tokenItem, token: secret, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [
    { title: 'A token that only reads', input: { name: 'Backup script', scope: 'read' } },
    {
      title: 'One that writes drafts, for a month',
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

export const rotate = action({
  class: 'SVC_Tokens',
  name: 'rotate',
  summary: 'Gives a token a successor with a new secret; the old one ends, at once or after a grace.',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found', 'conflict'],
  touches: 'tokens',
  secrets: ['token'],
  input: Type.Object(
    {
      id: idProperty,
      grace: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: 7 * 86_400,
          description: 'Seconds for which the old secret works on; 0 unless given.',
        }),
      ),
    },
    { additionalProperties: false },
  ),
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
  examples: [{ title: 'A new secret, the old one good for an hour more', input: { id: 'Nightly export', grace: 3600 } }],
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
    // The name goes with the successor, since a name that two usable tokens have names none.
    const name = `${before.name.slice(0, 180).toWellFormed()} (replaced)`
    const end = grace === 0 ? { revoked_at: now } : { expires_at: Math.min(before.expires_at ?? Infinity, now + grace * 1000) }
    const { row } = await change.update('token', before, { name, ...end })
    const { expires_at: expiresAt, revoked_at: revokedAt } = itemOf(row, { email: '', usedAt: null })
    return { ...minted, replaces: { id: row.id, expires_at: expiresAt, revoked_at: revokedAt } }
  },
})

/** What a token gets that is made without saying limits. */
const ownLimits = (caller: Caller): TokenLimits => Object.assign({}, ...limitsOf(caller)) as TokenLimits

/** @throws Failure `refused` for limits that leave more than the caller's own */
function checkOwnLimits(caller: Caller, given: TokenLimits): void {
  for (const own of limitsOf(caller)) checkTighter(own, given, 'Your own token')
}

const ended = () =>
  new Failure('refused', 'This token has ended: make a new one.', {
    rule: 'what has ended is not revived',
    hint: 'SVC_Tokens.create makes one.',
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
  const facts = await factsOf(context, [row])
  return { item: itemOf(row, facts(row)), token: minted.secret, changed: [], warnings: [], activity_id: null }
}

/** The account that a new token acts as: the one asked, the caller's, or for the command line the site's owner. */
async function accountFor({ db, caller }: WriteContext, asked: string | undefined): Promise<AccountRow> {
  const named = asked ?? ownAccount(caller)
  const account = named === undefined ? await findOldestAdmin(db) : await getAccount(db, named)
  if (account?.disabled === 0) return account
  const sentence = account ? `The account ${account.email} is disabled.` : 'There is no account that a token could belong to.'
  throw new Failure('refused', sentence, {
    field: 'account',
    rule: 'a token belongs to an account that may sign in',
    hint: 'postern admin create --email you@example.org --name You makes an account.',
  })
}

const ownAccount = (caller: Caller): string | undefined => caller.account?.id

function checkRole({ role, email }: AccountRow, scope: Scope): void {
  if (lowerScope(scope, role as Scope) === scope) return
  throw new Failure('refused', `The account ${email} has the role ${role}, and its tokens can't have the scope ${scope}.`, {
    field: 'scope',
    expected: scopes.slice(0, scopes.indexOf(role as Scope) + 1),
    rule: "an account's role caps its tokens",
  })
}

function readExpiry({ site, now }: WriteContext, text: string): number {
  const at = parseDate(text, site.settings.values.time_zone, 'end')
  if (at !== undefined && at > now) return at
  const expected = 'a date ahead, such as 2099-01-31 or 2099-01-31T12:00:00Z'
  throw new Failure('invalid', `"expires_at" must be ${expected}.`, { field: 'expires_at', expected })
}

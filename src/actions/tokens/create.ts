import { Type } from 'typebox'
import { Failure, invalid } from '../../base/failure.ts'
import { findOldestAdmin, getAccount } from '../../identity/account-store.ts'
import {
  type AccountRole,
  limitsOf,
  lowerScope,
  type Scope,
  scopeOfRole,
  scopes,
  type TokenLimits,
} from '../../identity/caller.ts'
import { clearableText, closed, nonEmptyText } from '../../base/schema.ts'
import { parseDate } from '../../settings/time-zone.ts'
import type { AccountRow } from '../../store/core/schema.ts'
import { action, type WriteContext } from '../call/action.ts'
import { itemOutput } from '../call/write-answer.ts'
import { limitsInput, nameProperty, readLimits, tokenItem } from '../shared/token-item.ts'
import { checkOwnLimits, mint, secret } from './mint.ts'

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
    expires_at: clearableText('When the token expires. The default is never.', 50),
    account: Type.Optional(nonEmptyText('E-mail or id of the account that the token acts as. The default is your own.', 254)),
  }),
  output: itemOutput(tokenItem, { token: secret }),
  examples: [
    { title: 'A token that only reads', input: { name: 'Backup script', scope: 'read' } },
    {
      title: 'A token that writes drafts, with an end',
      input: { name: 'Drafting assistant', scope: 'content', limits: { drafts_only: true }, expires_at: '2099-01-31' },
    },
  ],
  async run(context, { name, scope, limits: given, expires_at: expires, account: asked }) {
    const { caller, site } = context
    const account = await accountFor(context, asked)
    // A token without limits of its own gets those of its maker.
    const limits: TokenLimits = given === undefined ? Object.assign({}, ...limitsOf(caller)) : readLimits(site.registry, given)
    checkOwnLimits(caller, limits)
    checkRole(account, scope)
    const expiresAt = expires == null ? null : readExpiry(context, expires)
    return mint(context, { account_id: account.id, name: name.trim(), scope, limits, expires_at: expiresAt })
  },
})

/** Returns the account of a new token: the named account, else the caller's, else (on the command line) the oldest admin. */
async function accountFor({ db, caller }: WriteContext, asked: string | undefined): Promise<AccountRow> {
  const named = asked ?? caller.account?.id
  const account = named === undefined ? await findOldestAdmin(db) : await getAccount(db, named)
  if (account?.disabled === 0) return account
  const sentence = account ? `The account ${account.email} is disabled.` : 'There is no account for the token to belong to.'
  throw new Failure('refused', sentence, {
    field: 'account',
    rule: 'a token belongs to an account that may sign in',
    hint: 'postern admin create --email you@example.org --name You creates an account.',
  })
}

function checkRole({ role, email }: AccountRow, scope: Scope): void {
  const most = scopeOfRole(role as AccountRole)
  if (lowerScope(scope, most) === scope) return
  throw new Failure('refused', `The account ${email} has the role ${role}, and its tokens can't have the scope ${scope}.`, {
    field: 'scope',
    expected: scopes.slice(0, scopes.indexOf(most) + 1),
    rule: "an account's role caps its tokens",
  })
}

function readExpiry({ site, now }: WriteContext, given: string): number {
  const at = parseDate(given, site.settings.values.time_zone, 'end')
  if (at !== undefined && at > now) return at
  const expected = 'a future date, such as 2099-01-31 or 2099-01-31T12:00:00Z'
  throw invalid('expires_at', `"expires_at" must be ${expected}.`, expected)
}

// A token in the answers of SVC_Tokens, and the limits of a token as input and output.

import { type Static, Type } from 'typebox'
import { entryTypeSlugs } from '../../content/types/entry-types.ts'
import { follow } from '../../content/types/followed-schemas.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { type Scope, scopes, type TokenLimits } from '../../identity/caller.ts'
import { isAddressRange } from '../../identity/token-limits.ts'
import { formatDateOrNull } from '../../settings/time-zone.ts'
import type { AccountRow, AppGrantRow, TokenRow } from '../../store/core/schema.ts'
import { callName, type Context } from '../call/action.ts'
import { nearestIn } from '../../base/nearest.ts'
import type { Registry } from '../call/registry.ts'
import { stampProperties, stampsOf } from '../call/stamps.ts'
import { nullable } from '../call/write-answer.ts'
import { closed, nonEmptyText, flag } from '../../base/schema.ts'

const limits = {
  classes: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Only actions of these classes. SVC_API and SVC_Docs are always included.',
    }),
  ),
  types: Type.Optional(
    Type.Array(Type.Enum([...entryTypeSlugs], follow('types')), {
      minItems: 1,
      maxItems: 50,
      description: 'Writes entries of these types only.',
    }),
  ),
  drafts_only: flag('Writes drafts of entries only, and changes nothing else.'),
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 50,
      description: 'The token works from these network addresses or ranges only, such as `203.0.113.7` or `2001:db8::/48`.',
    }),
  ),
  ask: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description:
        'Calls of these actions that change something become proposals, which an admin approves: names, or patterns such as `SVC_Content.*` or `*`.',
    }),
  ),
  per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: 'Calls per minute, below the limit of the site.' }),
  ),
}

/** The schema of `limits` in inputs. */
export const limitsInput = closed(limits, { description: 'Limits the token further than its scope.' })

/** The schema of `limits` in answers. */
export const limitsOutput = Type.Object(limits)

export const tokenItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  account: Type.String({ description: 'E-mail of the account it belongs to.' }),
  scope: Type.Enum([...scopes]),
  limits: limitsOutput,
  last_used: nullable(Type.String(), 'To about a minute; null where it was never used.'),
  expires_at: nullable(Type.String(), 'Null for never.'),
  revoked_at: nullable(Type.String(), 'Null where it is not revoked.'),
  ...stampProperties,
})

export type TokenItem = Static<typeof tokenItem>

export const idProperty = nonEmptyText('Id or name of a token.', 200)
export const nameProperty = Type.String({
  description: 'What the token is for, such as the program that uses it.',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\S\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  title: 'on one line',
})

/** Limits in an input. */
export type GivenLimits = Static<typeof limitsInput>

/**
 * Checks the limits of an input against the actions of this site.
 * @throws Failure `invalid` for a class, an action or a network address that doesn't exist
 */
export function readLimits({ all }: Registry, given: GivenLimits): TokenLimits {
  const classes = [...new Set(all.map((one) => one.class))]
  const patterns = [...all.map(callName), ...classes.map((name) => `${name}.*`), '*']
  checkKnown('classes', given.classes, classes, { what: 'class', expected: `of ${classes.join(', ')}` })
  checkKnown('ask', given.ask, patterns, {
    what: 'action',
    expected: 'the name of an action, or a pattern such as `SVC_Content.*` or `*`',
  })
  const bad = given.addresses?.findIndex((item) => !isAddressRange(item)) ?? -1
  if (bad < 0) return given
  const expected = 'an address or a range, such as 203.0.113.7 or 10.0.0.0/8'
  throw invalid(`limits.addresses.${bad}`, `${JSON.stringify(given.addresses?.[bad])} must be ${expected}.`, expected)
}

/** @throws Failure `invalid` for the first of these names that is not known */
function checkKnown(
  member: keyof GivenLimits,
  names: readonly string[] = [],
  known: readonly string[],
  { what, expected }: { readonly what: string; readonly expected: string },
): void {
  for (const [place, name] of names.entries()) {
    if (known.includes(name)) continue
    const field = `limits.${member}.${place}`
    throw new Failure('invalid', `There is no ${what} ${JSON.stringify(name)}.`, { field, expected, ...nearestIn(name, known) })
  }
}

/** The row of a token or of a connected app. */
type CredentialRow = TokenRow | AppGrantRow

interface CredentialParts {
  readonly account: AccountRow | undefined
  readonly allowed: Pick<TokenItem, 'account' | 'scope' | 'limits'>
  readonly times: Pick<TokenItem, 'last_used' | 'expires_at' | 'revoked_at' | 'created_at' | 'updated_at' | 'revision'>
}

/** Reads the data for the items of these rows at once. @returns a function that makes the parts of a row's item */
export async function credentialParts(
  { db, site }: Pick<Context, 'db' | 'site'>,
  rows: readonly CredentialRow[],
): Promise<(row: CredentialRow) => CredentialParts> {
  const [ids, holders] = [rows.map(({ id }) => id), [...new Set(rows.map(({ account_id: id }) => id))]]
  const none = rows.length === 0
  const accounts = none ? [] : await db.selectFrom('account').selectAll().where('id', 'in', holders).execute()
  const uses = none ? [] : await db.selectFrom('token_use').selectAll().where('token_id', 'in', ids).execute()
  const byId = new Map(accounts.map((account) => [account.id, account]))
  const used = new Map(uses.map(({ token_id: id, used_at: at }) => [id, at]))
  return (row) => {
    const account = byId.get(row.account_id)
    return {
      account,
      allowed: {
        account: account?.email ?? row.account_id,
        scope: row.scope as Scope,
        limits: JSON.parse(row.limits) as TokenItem['limits'],
      },
      times: {
        last_used: formatDateOrNull(site.tokens.lastUsed(row.id) ?? used.get(row.id) ?? null),
        expires_at: formatDateOrNull(row.expires_at),
        revoked_at: formatDateOrNull(row.revoked_at),
        ...stampsOf(row),
      },
    }
  }
}

/** Makes the items of tokens, without their hashes. */
export async function tokenItems(
  context: Pick<Context, 'db' | 'site'>,
  rows: readonly TokenRow[],
): Promise<(row: TokenRow) => TokenItem> {
  const partsOf = await credentialParts(context, rows)
  return (row) => {
    const { allowed, times } = partsOf(row)
    return { id: row.id, name: row.name, ...allowed, ...times }
  }
}

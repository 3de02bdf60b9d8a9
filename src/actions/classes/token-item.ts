// How SVC_Tokens's answers show a token, and how its limits are written and held.

import { type Static, Type } from 'typebox'
import { entryTypeSlugs } from '../../content/entry-types.ts'
import { Failure } from '../../failure.ts'
import { type Scope, scopes, type TokenLimits } from '../../identity/caller.ts'
import { isAddressRange } from '../../identity/token-limits.ts'
import { formatDate } from '../../settings/time-zone.ts'
import type { Db } from '../../store/database.ts'
import type { TokenRow } from '../../store/schema.ts'
import type { Context } from '../action.ts'
import { nearest } from '../nearest.ts'
import type { Services } from '../services.ts'
import { nullable } from '../write-answer.ts'

const limits = {
  classes: Type.Optional(
    Type.Array(Type.String({ maxLength: 200 }), {
      minItems: 1,
      maxItems: 100,
      description: 'Only actions of these classes; SVC_API and SVC_Docs are always there.',
    }),
  ),
  types: Type.Optional(
    Type.Array(Type.Enum(entryTypeSlugs), { minItems: 1, maxItems: 50, description: 'Writes only to entries of these types.' }),
  ),
  drafts_only: Type.Optional(
    Type.Boolean({ description: 'Writes only to drafts of content, and changes nothing else of the site.' }),
  ),
  addresses: Type.Optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      minItems: 1,
      maxItems: 50,
      description: 'Usable only from these network addresses or ranges, such as `203.0.113.7` or `2001:db8::/48`.',
    }),
  ),
  per_minute: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1_000_000, description: "Calls a minute, below the site's own limit." }),
  ),
}

/** `limits` of an input. `ask` is named so that it can be refused in words. */
export const limitsInput = Type.Object(
  {
    ...limits,
    ask: Type.Optional(
      Type.Array(Type.String({ maxLength: 200 }), {
        maxItems: 100,
        description: 'Not yet: calls that wait for approval come with proposals.',
      }),
    ),
  },
  { additionalProperties: false, description: 'What narrows the token further than its scope.' },
)

/** Limits as answers show them. */
export const limitsOutput = Type.Object(limits)

export const tokenItem = Type.Object({
  id: Type.String(),
  name: Type.String(),
  account: Type.String({ description: 'E-mail of the account it belongs to.' }),
  scope: Type.Enum([...scopes]),
  limits: limitsOutput,
  last_used: nullable(Type.String(), 'To the minute or so; null while it was never used.'),
  expires_at: nullable(Type.String(), 'Null: never.'),
  revoked_at: nullable(Type.String(), 'Null while it is usable.'),
  created_at: Type.String(),
  updated_at: Type.String(),
  revision: Type.Integer(),
})

export const idProperty = Type.String({ description: 'Id of a token, or its name.', minLength: 1, maxLength: 200 })
export const nameProperty = Type.String({
  description: 'What it is for, such as the program that uses it.',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\S\\u0000-\\u001f\\u007f]*[^\\s\\u0000-\\u001f\\u007f][^\\u0000-\\u001f\\u007f]*$',
  title: 'on one line',
})

/** Limits as an input gives them. */
export type GivenLimits = Static<typeof limitsInput>

/**
 * The limits of an input, held against what there is on this site.
 * @throws Failure `invalid` for `ask`, a class or a network address that doesn't exist
 */
export function readLimits(site: Services, given: GivenLimits): TokenLimits {
  if (given.ask !== undefined) {
    throw new Failure('invalid', '"limits.ask" can\'t be given until proposals exist.', {
      field: 'limits.ask',
      expected: 'left out',
      hint: '`drafts_only` keeps what a token writes off the public site.',
    })
  }
  const known = [...new Set(site.registry.all.map((one) => one.class))]
  const unknown = given.classes?.findIndex((name) => !known.includes(name)) ?? -1
  if (unknown >= 0) throw unknownClass(`limits.classes.${unknown}`, given.classes?.[unknown] ?? '', known)
  const bad = given.addresses?.findIndex((item) => !isAddressRange(item)) ?? -1
  if (bad < 0) return given
  const expected = 'an address or a range, such as 203.0.113.7 or 10.0.0.0/8'
  throw new Failure('invalid', `${JSON.stringify(given.addresses?.[bad])} must be ${expected}.`, {
    field: `limits.addresses.${bad}`,
    expected,
  })
}

function unknownClass(field: string, name: string, known: readonly string[]): Failure {
  const near = nearest(name, known)
  return new Failure('invalid', `There is no class ${JSON.stringify(name)}.`, {
    field,
    expected: `of ${known.join(', ')}`,
    ...(near.length > 0 ? { nearest: near } : {}),
  })
}

const dateOrNull = (ms: number | null | undefined): string | null => (ms === null || ms === undefined ? null : formatDate(ms))

/** What is told of a token beside its row. */
export interface TokenFacts {
  readonly email: string
  readonly usedAt: number | null
}

/** A token as answers show it: never its hash. */
export function itemOf(row: TokenRow, { email, usedAt }: TokenFacts): Static<typeof tokenItem> {
  return {
    id: row.id,
    name: row.name,
    account: email,
    scope: row.scope as Scope,
    limits: JSON.parse(row.limits) as Static<typeof tokenItem>['limits'],
    last_used: dateOrNull(usedAt),
    expires_at: dateOrNull(row.expires_at),
    revoked_at: dateOrNull(row.revoked_at),
    created_at: formatDate(row.created_at),
    updated_at: formatDate(row.updated_at),
    revision: row.revision,
  }
}

/** What is told beside their rows, for tokens of a page at once. */
export async function factsOf(
  context: Pick<Context, 'db' | 'site'>,
  rows: readonly TokenRow[],
): Promise<(row: TokenRow) => TokenFacts> {
  const emails = await emailsOf(context.db, rows)
  const usedAt = await usesOf(context, rows)
  return ({ id, account_id: accountId }) => ({ email: emails.get(accountId) ?? accountId, usedAt: usedAt(id) })
}

/** When tokens, or grants, were last used, by id; UTC milliseconds, null for never. */
export async function usesOf(
  { db, site }: Pick<Context, 'db' | 'site'>,
  rows: readonly { readonly id: string }[],
): Promise<(id: string) => number | null> {
  const ids = rows.map(({ id }) => id)
  const uses = ids.length === 0 ? [] : await db.selectFrom('token_use').selectAll().where('token_id', 'in', ids).execute()
  const used = new Map(uses.map(({ token_id: id, used_at: at }) => [id, at]))
  return (id) => site.tokens.lastUsed(id) ?? used.get(id) ?? null
}

async function emailsOf(db: Db, rows: readonly TokenRow[]): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map()
  const ids = [...new Set(rows.map(({ account_id: id }) => id))]
  const accounts = await db.selectFrom('account').select(['id', 'email']).where('id', 'in', ids).execute()
  return new Map(accounts.map(({ id, email }) => [id, email]))
}

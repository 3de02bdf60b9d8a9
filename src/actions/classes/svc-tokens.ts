// SVC_Tokens: lists, tightens and revokes personal tokens. token-minting.ts creates them.

import { Type } from 'typebox'
import { findAccount } from '../../identity/account-store.ts'
import { scopes, type TokenLimits } from '../../identity/caller.ts'
import { getToken } from '../../identity/find-token.ts'
import { checkTighter } from '../../identity/token-limits.ts'
import type { TokenRow } from '../../store/schema.ts'
import { type Action, action } from '../action.ts'
import { expectProperty } from '../expect.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../list.ts'
import { revokeNamed } from './revoking.ts'
import { someCondition } from '../where.ts'
import { doneOutput, writeProperties } from '../write-answer.ts'
import { factsOf, idProperty, itemOf, limitsInput, nameProperty, readLimits, tokenItem } from './token-item.ts'
import { rotate, tokensCreate } from './token-minting.ts'

/** The hash is not a field: filters on it would reveal it bit by bit (ATTACKS 90). */
const tokenList: ListSpec<'token'> = {
  table: 'token',
  key: 'id',
  fields: {
    id: { column: 'id', kind: 'text' },
    name: { column: 'name', kind: 'text', sort: true },
    account: { column: 'account_id', kind: 'text', resolve: async (value, { db }) => (await findAccount(db, value))?.id ?? null },
    scope: { column: 'scope', kind: 'choice', choices: scopes },
    expires_at: { column: 'expires_at', kind: 'time', sort: true },
    revoked_at: { column: 'revoked_at', kind: 'time', sort: true },
    created_at: { column: 'created_at', kind: 'time', sort: true },
    updated_at: { column: 'updated_at', kind: 'time', sort: true },
  },
  sort: '-created_at',
  search: ['name'],
}

export const tokensList = action({
  class: 'SVC_Tokens',
  name: 'list',
  summary: 'Lists the personal tokens, without their secrets. Revoked tokens are only listed where `where` names `revoked_at`.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: Type.Object(listProperties(tokenList), { additionalProperties: false }),
  output: listOutput(tokenItem),
  examples: [
    { title: 'All usable tokens', input: {} },
    { title: 'Revoked tokens', input: { where: { revoked_at: { exists: true } } } },
  ],
  async run(context, input: ListInput) {
    const withRevoked = someCondition(input.where, (field) => field === 'revoked_at')
    const page = await listRows(
      context,
      tokenList,
      input,
      withRevoked ? {} : { narrow: (query) => query.where('token.revoked_at', 'is', null) },
    )
    const facts = await factsOf(context, page.rows as readonly TokenRow[])
    return listAnswer(context, page, (row) => itemOf(row as TokenRow, facts(row as TokenRow)))
  },
})

const update = action({
  class: 'SVC_Tokens',
  name: 'update',
  summary: 'Renames a token, or tightens its limits.',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: Type.Object(
    { id: idProperty, name: Type.Optional(nameProperty), limits: Type.Optional(limitsInput) },
    { additionalProperties: false },
  ),
  output: Type.Object({ item: tokenItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [{ title: 'Let it write drafts only', input: { id: 'Nightly export', limits: { drafts_only: true } } }],
  async run(context, { id, name, limits }) {
    const { change, db, site } = context
    const before = await getToken(db, id)
    const standing = JSON.parse(before.limits) as TokenLimits
    const tightened = limits === undefined ? standing : { ...standing, ...readLimits(site, limits) }
    checkTighter(standing, tightened, 'This token')
    const { row, changed } = await change.update('token', before, {
      ...(name === undefined ? {} : { name: name.trim() }),
      limits: JSON.stringify(tightened),
    })
    const facts = await factsOf(context, [row])
    return { item: itemOf(row, facts(row)), changed: [...changed], warnings: [], activity_id: null }
  },
})

export const tokensRevoke = action({
  class: 'SVC_Tokens',
  name: 'revoke',
  summary: 'Revokes tokens at once. They cannot be restored.',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'site',
  input: Type.Object(
    {
      ids: Type.Array(idProperty, { minItems: 1, maxItems: 100, description: 'Ids or names of tokens.' }),
      expect: expectProperty('tokens'),
    },
    { additionalProperties: false },
  ),
  output: doneOutput,
  examples: [{ title: 'Revoke one token', input: { ids: ['Nightly export'], expect: 1 } }],
  run: (context, named) => revokeNamed(context, 'token', named, (id) => getToken(context.db, id)),
})

export const tokenActions: readonly Action[] = [tokensList, tokensCreate, rotate, update, tokensRevoke]

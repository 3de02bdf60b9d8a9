// SVC_Tokens: lists personal tokens, tightens their limits and revokes them. token-minting.ts creates them.

import { Type } from 'typebox'
import { getToken } from '../../identity/find-token.ts'
import type { TokenRow } from '../../store/schema.ts'
import { action } from '../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../list.ts'
import { credentialFields, revokeInput, revokeNamed, tightenLimits } from './credentials.ts'
import { someCondition } from '../where-conditions.ts'
import { doneOutput, writeProperties } from '../write-answer.ts'
import { idProperty, limitsInput, nameProperty, tokenItem, tokenItems } from './token-item.ts'
import { closed } from '../../schema.ts'

/** The hash is not a field: filters on it would reveal it bit by bit (attack 90). */
const tokenList: ListSpec<'token'> = {
  table: 'token',
  key: 'id',
  fields: credentialFields,
  sort: '-created_at',
  search: ['name'],
}

export const list = action('SVC_Tokens.list', {
  title: 'List the tokens',
  summary: 'Lists the personal tokens, without their secrets. Revoked tokens are only listed where `where` names `revoked_at`.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(tokenList)),
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
      withRevoked ? {} : { only: [onlyValues('token', credentialFields.revoked_at, [null])] },
    )
    const toItem = await tokenItems(context, page.rows as readonly TokenRow[])
    return listAnswer(context, page, (row) => toItem(row as TokenRow))
  },
})

export const update = action('SVC_Tokens.update', {
  title: 'Change [the token {title}|a token]',
  summary: 'Renames a token, or tightens its limits.',
  did: 'changed [the token {title}|a token]',
  tier: 'admin',
  effect: 'act',
  failures: ['not_found'],
  touches: 'site',
  revisioned: true,
  input: closed({ id: idProperty, name: Type.Optional(nameProperty), limits: Type.Optional(limitsInput) }),
  output: Type.Object({ item: tokenItem, changed: Type.Array(Type.String()), ...writeProperties }),
  examples: [{ title: 'Let it write drafts only', input: { id: 'Nightly export', limits: { drafts_only: true } } }],
  async run(context, { id, name, limits }) {
    const { change, db, site } = context
    const before = await getToken(db, id)
    const { row, changed } = await change.update('token', before, {
      ...(name === undefined ? {} : { name: name.trim() }),
      limits: tightenLimits(site, before.limits, limits, 'This token'),
    })
    return { item: (await tokenItems(context, [row]))(row), changed: [...changed], warnings: [], activity_id: null }
  },
})

export const revoke = action('SVC_Tokens.revoke', {
  title: 'Revoke [the token {title}|a token]',
  summary: 'Revokes tokens at once. They cannot be restored.',
  did: 'revoked [the token {title}|a token]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'endings',
  input: revokeInput(idProperty, 'tokens', 'Ids or names of tokens.'),
  output: doneOutput,
  examples: [{ title: 'Revoke one token', input: { ids: ['Nightly export'], expect: 1 } }],
  run: (context, named) => revokeNamed(context, 'token', named, (id) => getToken(context.db, id)),
})

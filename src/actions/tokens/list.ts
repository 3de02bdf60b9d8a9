import { onlyValues } from '../lists/list.ts'
import { listAction } from '../shared/list-action.ts'
import { someCondition } from '../lists/where-conditions.ts'
import { credentialFields } from '../shared/credentials.ts'
import { tokenItem, tokenItems } from '../shared/token-item.ts'

export const list = listAction('SVC_Tokens.list', {
  title: 'List the tokens',
  summary: 'Lists the personal tokens, without their secrets. Revoked tokens are only listed where `where` names `revoked_at`.',
  tier: 'admin',
  examples: [
    { title: 'All usable tokens', input: {} },
    { title: 'Revoked tokens', input: { where: { revoked_at: { exists: true } } } },
  ],
  // The hash is not a field: filters on it would reveal it bit by bit (attack 90).
  list: { table: 'token', key: 'id', fields: credentialFields, sort: '-created_at', search: ['name'] },
  options(_context, { where }) {
    const withRevoked = someCondition(where, (field) => field === 'revoked_at')
    return withRevoked ? {} : { only: [onlyValues('token', credentialFields.revoked_at, [null])] }
  },
  item: tokenItem,
  items: tokenItems,
})

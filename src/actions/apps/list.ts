import { sql, type SqlBool } from 'kysely'
import { onlyValues } from '../lists/list.ts'
import { listAction } from '../shared/list-action.ts'
import { someCondition } from '../lists/where-conditions.ts'
import { credentialFields } from '../shared/credentials.ts'
import { appItem, itemsOf } from './app-item.ts'

export const list = listAction('SVC_Apps.list', {
  title: 'List the apps',
  summary: 'Lists the connected apps. Ended ones are only listed where `where` names `revoked_at` or `expires_at`.',
  tier: 'admin',
  examples: [
    { title: 'All connected apps', input: {} },
    { title: 'Removed apps', input: { where: { revoked_at: { exists: true } } } },
  ],
  list: {
    table: 'app_grant',
    key: 'id',
    // The hash of the client id is not a field: filters on it would reveal it bit by bit (attack 90).
    fields: {
      ...credentialFields,
      client: { column: 'client', kind: 'text', sort: true },
      host: { column: 'host', kind: 'text' },
    },
    sort: '-created_at',
    search: ['name', 'client', 'host'],
  },
  options({ now }, { where }) {
    if (someCondition(where, (field) => field === 'revoked_at' || field === 'expires_at')) return {}
    return {
      only: [onlyValues('app_grant', credentialFields.revoked_at, [null])],
      // An expression, because an index of `expires_at` would return the rows in its own order.
      narrow: (query) => query.where(sql<SqlBool>`(app_grant.expires_at + 0) > ${now}`),
    }
  },
  item: appItem,
  items: itemsOf,
})

// SVC_Apps.list: lists the connected apps.

import { sql, type SqlBool } from 'kysely'
import type { AppGrantRow } from '../../../store/schema.ts'
import { action } from '../../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec, onlyValues } from '../../list.ts'
import { credentialFields } from '../credentials.ts'
import { someCondition } from '../../where-conditions.ts'
import { appItem, itemsOf } from './app-item.ts'
import { closed } from '../../../schema.ts'

/** The hash of the client id is not a field: filters on it would reveal it bit by bit (attack 90). */
const appList: ListSpec<'app_grant'> = {
  table: 'app_grant',
  key: 'id',
  fields: {
    ...credentialFields,
    client: { column: 'client', kind: 'text', sort: true },
    host: { column: 'host', kind: 'text' },
  },
  sort: '-created_at',
  search: ['name', 'client', 'host'],
}

export const list = action('SVC_Apps.list', {
  title: 'List the apps',
  summary: 'Lists the connected apps. Ended ones are only listed where `where` names `revoked_at` or `expires_at`.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(appList)),
  output: listOutput(appItem),
  examples: [
    { title: 'All connected apps', input: {} },
    { title: 'Removed apps', input: { where: { revoked_at: { exists: true } } } },
  ],
  async run(context, input: ListInput) {
    const withEnded = someCondition(input.where, (field) => field === 'revoked_at' || field === 'expires_at')
    const { now } = context
    const page = await listRows(
      context,
      appList,
      input,
      withEnded
        ? {}
        : {
            only: [onlyValues('app_grant', credentialFields.revoked_at, [null])],
            // An expression, because an index of `expires_at` would return the rows in its own order.
            narrow: (query) => query.where(sql<SqlBool>`(app_grant.expires_at + 0) > ${now}`),
          },
    )
    const toItem = await itemsOf(context, page.rows as readonly AppGrantRow[])
    return listAnswer(context, page, (row) => toItem(row as AppGrantRow))
  },
})

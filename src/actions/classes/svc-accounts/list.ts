// SVC_Accounts.list: lists the accounts of people who may sign in.

import type { AccountRow } from '../../../store/schema.ts'
import { action } from '../../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows } from '../../list.ts'
import { accountItem, accountItems, accountList } from '../account-item.ts'
import { closed } from '../../../schema.ts'

export const list = action('SVC_Accounts.list', {
  title: 'List the accounts',
  summary: 'Lists the accounts of people who may sign in.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(accountList)),
  output: listOutput(accountItem),
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Accounts of active admins', input: { where: { role: 'admin', disabled: false } } },
  ],
  async run(context, input: ListInput) {
    const page = await listRows(context, accountList, input)
    const toItem = await accountItems(context, page.rows as readonly AccountRow[])
    return listAnswer(context, page, (row) => toItem(row as AccountRow))
  },
})

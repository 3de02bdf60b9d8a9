import { listAction } from '../shared/list-action.ts'
import { accountItem, accountItems, accountList } from './account-item.ts'

export const list = listAction('SVC_Accounts.list', {
  title: 'List the accounts',
  summary: 'Lists the accounts of people who may sign in.',
  tier: 'admin',
  examples: [
    { title: 'All of them', input: {} },
    { title: 'Accounts of active admins', input: { where: { role: 'admin', disabled: false } } },
  ],
  list: accountList,
  item: accountItem,
  items: accountItems,
})

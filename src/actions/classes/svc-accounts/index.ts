// SVC_Accounts: its actions by name, in the order in which they are listed.

import { accountsList, accountsGet, me, accountsCreate, accountsUpdate, accountsReset, accountsDelete } from '../svc-accounts.ts'

export const accounts = {
  list: accountsList,
  get: accountsGet,
  me,
  create: accountsCreate,
  update: accountsUpdate,
  reset: accountsReset,
  delete: accountsDelete,
} as const

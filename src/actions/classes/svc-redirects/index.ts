// SVC_Redirects: its actions by name, in the order in which they are listed.

import { list, get, resolve, missing } from './reading.ts'
import { create, update, putMany, remove } from './writing.ts'

export const redirects = {
  list,
  get,
  create,
  update,
  putMany,
  delete: remove,
  resolve,
  missing,
} as const

// SVC_Types: its actions by name, in the order in which they are listed.

import { createType } from './create.ts'
import { deleteType } from './delete.ts'
import { listTypes, getOneType } from './reading.ts'
import { updateType } from './update.ts'

export const types = {
  list: listTypes,
  get: getOneType,
  create: createType,
  update: updateType,
  delete: deleteType,
} as const

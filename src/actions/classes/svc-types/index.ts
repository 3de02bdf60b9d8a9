// SVC_Types, its actions by name.

import type { Action } from '../../action.ts'
import { createType } from './create.ts'
import { deleteType } from './delete.ts'
import { getOneType, listTypes } from './reading.ts'
import { updateType } from './update.ts'

/** In the order in which they are listed. */
export const typeActions: readonly Action[] = [listTypes, getOneType, createType, updateType, deleteType]

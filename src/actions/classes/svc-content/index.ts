// SVC_Content, its actions by name.

import type { Action } from '../../action.ts'
import { create } from './create.ts'
import { edit } from './edit.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { discard, publish, unpublish } from './publish.ts'
import { purge } from './purge.ts'
import { put } from './put.ts'
import { revert, revisions } from './revisions.ts'
import { remove, restore } from './trash.ts'
import { update } from './update.ts'

/** In the order in which they are listed. */
export const contentActions: readonly Action[] = [
  list,
  get,
  create,
  update,
  edit,
  put,
  publish,
  unpublish,
  discard,
  remove,
  restore,
  purge,
  revisions,
  revert,
]

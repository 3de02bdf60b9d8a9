// SVC_Content, its actions by name.

import type { Action } from '../../action.ts'
import { check } from './check.ts'
import { create } from './create.ts'
import { diff } from './diff.ts'
import { duplicate } from './duplicate.ts'
import { edit } from './edit.ts'
import { get } from './get.ts'
import { links } from './links.ts'
import { list } from './list.ts'
import { move } from './move.ts'
import { preview } from './preview.ts'
import { endPreview, previews } from './previews.ts'
import { discard, publish, unpublish } from './publish.ts'
import { purge } from './purge.ts'
import { put } from './put.ts'
import { replaceAll } from './replace-all.ts'
import { revert, revisions } from './revisions.ts'
import { remove, restore } from './trash.ts'
import { updateMany } from './update-many.ts'
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
  duplicate,
  move,
  updateMany,
  replaceAll,
  revisions,
  diff,
  revert,
  preview,
  previews,
  endPreview,
  check,
  links,
]

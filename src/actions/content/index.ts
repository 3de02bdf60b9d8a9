import { check } from './check.ts'
import { fix } from './fix.ts'
import { create } from './create.ts'
import { createMany } from './create-many.ts'
import { diff } from './diff.ts'
import { duplicate } from './duplicate.ts'
import { edit } from './edit.ts'
import { get } from './get.ts'
import { links } from './links.ts'
import { list } from './list.ts'
import { move } from './move.ts'
import { preview } from './preview.ts'
import { previews } from './previews.ts'
import { endPreview } from './end-preview.ts'
import { publish } from './publish.ts'
import { unpublish } from './unpublish.ts'
import { discard } from './discard.ts'
import { purge } from './purge.ts'
import { put } from './put.ts'
import { replaceAll } from './replace-all.ts'
import { revisions } from './revisions.ts'
import { revert } from './revert.ts'
import { remove } from './delete.ts'
import { restore } from './restore.ts'
import { sections } from './sections.ts'
import { updateMany } from './update-many.ts'
import { update } from './update.ts'

export const content = {
  list,
  get,
  create,
  createMany,
  update,
  edit,
  put,
  publish,
  unpublish,
  discard,
  delete: remove,
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
  fix,
  links,
  sections,
} as const

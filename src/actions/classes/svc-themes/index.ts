// SVC_Themes: its actions by name, in the order in which they are listed.

import { create, deleteTheme } from './create.ts'
import { preview } from './preview.ts'
import { list, get, read, check } from './reading.ts'
import { revisions, revert } from './revisions.ts'
import { configure, activate } from './settings.ts'
import { write, edit, remove } from './writing.ts'

export const themes = {
  list,
  get,
  read,
  create,
  write,
  edit,
  remove,
  configure,
  check,
  preview,
  activate,
  revisions,
  revert,
  delete: deleteTheme,
} as const

// SVC_Themes: how the public site looks. A theme of the owner is rows; a shipped theme belongs to the program.

import type { Action } from '../../action.ts'
import { create, deleteTheme } from './create.ts'
import { preview } from './preview.ts'
import { check, get, list, read } from './reading.ts'
import { revert, revisions } from './revisions.ts'
import { activate, configure } from './settings.ts'
import { edit, remove, write } from './writing.ts'

export const themeActions: readonly Action[] = [
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
  deleteTheme,
]

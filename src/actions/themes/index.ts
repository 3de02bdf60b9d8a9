import { create } from './create.ts'
import { deleteTheme } from './delete.ts'
import { preview } from './preview.ts'
import { list } from './list.ts'
import { get } from './get.ts'
import { read } from './read.ts'
import { check } from './check.ts'
import { revisions } from './revisions.ts'
import { revert } from './revert.ts'
import { configure } from './configure.ts'
import { moveTexts } from './move-texts.ts'
import { activate } from './activate.ts'
import { write } from './write.ts'
import { edit } from './edit.ts'
import { remove } from './remove.ts'
import { search } from './search.ts'
import { exportTheme } from './export.ts'

export const themes = {
  list,
  get,
  read,
  search,
  export: exportTheme,
  create,
  write,
  edit,
  remove,
  configure,
  moveTexts,
  check,
  preview,
  activate,
  revisions,
  revert,
  delete: deleteTheme,
} as const

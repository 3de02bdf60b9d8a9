// SVC_Media: its actions by name, in the order in which they are listed.

import { beginUpload } from './begin-upload.ts'
import { read } from './read.ts'
import { list, get } from './reading.ts'
import { remove, restore, purge } from './trash.ts'
import { update, replace } from './update.ts'
import { upload } from './upload.ts'

export const media = {
  list,
  get,
  read,
  upload,
  beginUpload,
  update,
  replace,
  delete: remove,
  restore,
  purge,
} as const

import { beginUpload } from './begin-upload.ts'
import { crop } from './crop.ts'
import { read } from './read.ts'
import { list } from './list.ts'
import { get } from './get.ts'
import { remove } from './delete.ts'
import { restore } from './restore.ts'
import { purge } from './purge.ts'
import { update } from './update.ts'
import { replace } from './replace.ts'
import { upload } from './upload.ts'
import { uploads } from './uploads.ts'

export const media = {
  list,
  get,
  read,
  upload,
  crop,
  beginUpload,
  uploads,
  update,
  replace,
  delete: remove,
  restore,
  purge,
} as const

// SVC_Media: images, documents, video and sound.

import type { Action } from '../../action.ts'
import { beginUpload } from './begin-upload.ts'
import { read } from './read.ts'
import { get, list } from './reading.ts'
import { purge, remove, restore } from './trash.ts'
import { replace, update } from './update.ts'
import { upload } from './upload.ts'

export const mediaActions: readonly Action[] = [list, get, read, upload, beginUpload, update, replace, remove, restore, purge]

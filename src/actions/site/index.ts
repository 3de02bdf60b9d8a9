import { files } from './files.ts'
import { putFile } from './put-file.ts'
import { removeFile } from './remove-file.ts'

export const siteActions = { files, putFile, removeFile } as const

import { begin } from './begin.ts'
import { files } from './files.ts'
import { page } from './page.ts'
import { putFile } from './put-file.ts'
import { removeExamples } from './remove-examples.ts'
import { removeFile } from './remove-file.ts'

export const siteActions = { files, page, putFile, removeFile, begin, removeExamples } as const

import { beginUpload } from './begin-upload.ts'
import { formats } from './formats.ts'
import { get } from './get.ts'
import { inspect } from './inspect.ts'
import { list } from './list.ts'
import { putComments } from './put-comments.ts'
import { putPeople } from './put-people.ts'
import { run } from './run.ts'

export const importActions = { formats, inspect, run, beginUpload, list, get, putPeople, putComments } as const

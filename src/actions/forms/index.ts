import { create } from './create.ts'
import { remove } from './delete.ts'
import { erase } from './erase.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { mark } from './mark.ts'
import { submissions } from './submissions.ts'
import { submit } from './submit.ts'
import { update } from './update.ts'

export const forms = { list, get, create, update, delete: remove, submit, submissions, mark, erase } as const

import { list } from './list.ts'
import { get } from './get.ts'
import { resolve } from './resolve.ts'
import { missing } from './missing.ts'
import { create } from './create.ts'
import { update } from './update.ts'
import { putMany } from './put-many.ts'
import { remove } from './delete.ts'

export const redirects = { list, get, create, update, putMany, delete: remove, resolve, missing } as const

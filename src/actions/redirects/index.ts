import { list } from './list.ts'
import { get } from './get.ts'
import { resolve } from './resolve.ts'
import { missing } from './missing.ts'
import { create } from './create.ts'
import { update } from './update.ts'
import { putMany } from './put-many.ts'
import { old } from './old.ts'
import { putOld } from './put-old.ts'
import { remove } from './delete.ts'

export const redirects = { list, get, create, update, putMany, delete: remove, resolve, missing, old, putOld } as const

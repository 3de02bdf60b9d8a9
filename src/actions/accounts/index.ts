import { create } from './create.ts'
import { deleteAccount } from './delete.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { me } from './me.ts'
import { reset } from './reset.ts'
import { update } from './update.ts'

export const accounts = { list, get, me, create, update, reset, delete: deleteAccount } as const

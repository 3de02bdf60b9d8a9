import { create } from './create.ts'
import { deleteType } from './delete.ts'
import { list } from './list.ts'
import { get } from './get.ts'
import { update } from './update.ts'

export const types = { list, get, create, update, delete: deleteType } as const

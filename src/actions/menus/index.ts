import { add } from './add.ts'
import { create } from './create.ts'
import { deleteMenu } from './delete.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { remove } from './remove.ts'
import { update } from './update.ts'

export const menus = {
  list,
  get,
  create,
  update,
  add,
  remove,
  delete: deleteMenu,
} as const

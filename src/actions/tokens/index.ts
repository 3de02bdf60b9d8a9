import { create } from './create.ts'
import { list } from './list.ts'
import { revoke } from './revoke.ts'
import { rotate } from './rotate.ts'
import { update } from './update.ts'

export const tokens = { list, create, rotate, update, revoke } as const

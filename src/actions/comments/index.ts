import { create } from './create.ts'
import { list } from './list.ts'
import { moderate } from './moderate.ts'
import { purge } from './purge.ts'
import { update } from './update.ts'

export const commentActions = { list, create, moderate, update, purge } as const

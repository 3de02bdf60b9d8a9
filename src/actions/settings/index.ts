import { list } from './list.ts'
import { maintenance } from './maintenance.ts'
import { update } from './update.ts'

export const settings = { list, update, maintenance } as const

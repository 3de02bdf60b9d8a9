import { get } from './get.ts'
import { list } from './list.ts'
import { revoke } from './revoke.ts'
import { update } from './update.ts'

export const apps = { list, get, update, revoke } as const

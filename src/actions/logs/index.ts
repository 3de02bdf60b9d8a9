import { list } from './list.ts'

export const logs = { list } as const

import { cancel } from './cancel.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { retry } from './retry.ts'

export const jobs = { list, get, cancel, retry } as const

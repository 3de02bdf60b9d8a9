import { get } from './get.ts'
import { list } from './list.ts'
import { search } from './search.ts'

export const docs = { list, get, search } as const

import { approve } from './approve.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { reject } from './reject.ts'
import { revise } from './revise.ts'

export const proposals = { list, get, create, approve, revise, reject } as const

// SVC_Proposals: its actions by name, in the order in which they are listed.

import { approve } from './approve.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { reject } from './reject.ts'

export const proposals = { list, get, create, approve, reject } as const

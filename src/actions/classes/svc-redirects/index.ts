// SVC_Redirects: addresses that lead elsewhere, and addresses that visitors ask for in vain.

import type { Action } from '../../action.ts'
import { get, list, missing, resolve } from './reading.ts'
import { create, putMany, remove, update } from './writing.ts'

export const redirectActions: readonly Action[] = [list, get, create, update, putMany, remove, resolve, missing]

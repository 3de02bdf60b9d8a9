// SVC_Content, its actions by name.

import type { Action } from '../../action.ts'
import { create } from './create.ts'
import { get } from './get.ts'
import { list } from './list.ts'
import { publish, unpublish } from './publish.ts'
import { update } from './update.ts'

export const contentActions: readonly Action[] = [list, get, create, update, publish, unpublish]

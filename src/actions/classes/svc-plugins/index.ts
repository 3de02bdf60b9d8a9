// SVC_Plugins: what the owner does with plugins. What a plugin is, and what it may do, is plugins/'s.

import type { Action } from '../../action.ts'
import { activate, deactivate } from './activate.ts'
import { configure } from './configure.ts'
import { remove } from './delete.ts'
import { install } from './install.ts'
import { get, list } from './reading.ts'
import { update } from './update.ts'

export const pluginClassActions: readonly Action[] = [list, get, install, update, activate, deactivate, configure, remove]

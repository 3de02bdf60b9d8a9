// SVC_Plugins: what the owner does with plugins. What a plugin is, and what it may do, is plugins/'s.

import type { Action } from '../../action.ts'
import { pluginsActivate, pluginsDeactivate } from './activate.ts'
import { pluginsConfigure } from './configure.ts'
import { pluginsDelete } from './delete.ts'
import { pluginsInstall } from './install.ts'
import { pluginsGet, pluginsList } from './reading.ts'
import { pluginsUpdate } from './update.ts'

export const pluginClassActions: readonly Action[] = [
  pluginsList,
  pluginsGet,
  pluginsInstall,
  pluginsUpdate,
  pluginsActivate,
  pluginsDeactivate,
  pluginsConfigure,
  pluginsDelete,
]

// SVC_Plugins: installs, activates, configures and deletes plugins. plugins/ runs them.

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

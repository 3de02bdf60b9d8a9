// SVC_Plugins: its actions by name, in the order in which they are listed.

import { pluginsActivate, pluginsDeactivate } from './activate.ts'
import { pluginsConfigure } from './configure.ts'
import { pluginsDelete } from './delete.ts'
import { pluginsInstall } from './install.ts'
import { pluginsList, pluginsGet } from './reading.ts'
import { pluginsUpdate } from './update.ts'

export const plugins = {
  list: pluginsList,
  get: pluginsGet,
  install: pluginsInstall,
  update: pluginsUpdate,
  activate: pluginsActivate,
  deactivate: pluginsDeactivate,
  configure: pluginsConfigure,
  delete: pluginsDelete,
} as const

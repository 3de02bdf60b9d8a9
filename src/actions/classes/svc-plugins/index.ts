// SVC_Plugins: its actions by name, in the order in which they are listed.

import { activate, deactivate } from './activate.ts'
import { configure } from './configure.ts'
import { pluginsDelete } from './delete.ts'
import { install } from './install.ts'
import { list, get } from './reading.ts'
import { update } from './update.ts'

export const plugins = {
  list,
  get,
  install,
  update,
  activate,
  deactivate,
  configure,
  delete: pluginsDelete,
} as const

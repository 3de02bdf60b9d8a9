import { activate } from './activate.ts'
import { deactivate } from './deactivate.ts'
import { configure } from './configure.ts'
import { pluginsDelete } from './delete.ts'
import { install } from './install.ts'
import { list } from './list.ts'
import { get } from './get.ts'
import { update } from './update.ts'

export const plugins = { list, get, install, update, activate, deactivate, configure, delete: pluginsDelete } as const

// `postern plugin list`: the installed plugins, one per line.

import { plugins } from '../actions/plugins/index.ts'
import { type Command, flag, readFlags } from './command.ts'
import { callSite } from './open-site.ts'
import { printList } from './table.ts'

export const pluginList: Command = {
  usage: 'plugin list [--json]',
  summary: 'Lists the plugins: id, version, state, name, and why a plugin is quarantined.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const { items } = await callSite(io, plugins.list, {})
    printList(io, items, {
      json: values.json,
      header: ['ID', 'VERSION', 'STATE', 'NAME', 'REASON'],
      rowOf: ({ id, version, state, name, reason }) => [id, version, state, name, ...(reason === null ? [] : [reason])],
      none: 'There are no plugins.',
    })
  },
}

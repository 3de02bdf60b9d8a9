// `postern plugin list`: the installed plugins, one per line.

import { type Command, readFlags } from './command.ts'
import { exit } from './exit.ts'
import { callAction, callerFor, withSite } from './open-site.ts'
import type { CommandPlugin } from './plugin-output.ts'
import { printList } from './table.ts'

const header = ['ID', 'VERSION', 'STATE', 'NAME', 'REASON']

const rowOf = ({ id, version, state, name, reason }: CommandPlugin) => [
  id,
  version,
  state,
  name,
  ...(reason === null ? [] : [reason]),
]

export const pluginList: Command = {
  usage: 'plugin list [--json]',
  summary: 'Lists the plugins: id, version, state, name, and why a plugin is quarantined.',
  async run(args, io) {
    const values = readFlags(args, { json: { type: 'boolean', default: false } })
    const { items } = (await withSite(io, async (site) =>
      (await callAction(site, await callerFor(site, undefined), 'SVC_Plugins.list', {})).parse(),
    )) as { items: readonly CommandPlugin[] }
    printList(io, items, { json: values.json, header, rowOf, none: 'There are no plugins.' })
    return exit.ok
  },
}

// `postern plugin list`: the plugins, a line each.

import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { callAction, callerFor, withSite } from './open-site.ts'
import type { PluginItem } from './plugin-output.ts'

export const pluginList: Command = {
  usage: 'plugin list [--json]',
  summary: 'Lists the plugins: id, version, state, name, and why one is quarantined.',
  async run(args, io) {
    const values = parseFlags(args, { json: { type: 'boolean', default: false } })
    const { items } = (await withSite(io, async (site) =>
      (await callAction(site, await callerFor(site, undefined), 'SVC_Plugins.list', {})).parse(),
    )) as { items: readonly PluginItem[] }
    if (values.json) io.out(`${JSON.stringify(items)}\n`)
    else
      for (const { id, version, state, name, reason } of items)
        io.out(`${[id, version, state, name, ...(reason === null ? [] : [reason])].join('\t')}\n`)
    return exit.ok
  },
}

// `postern plugin list`: the installed plugins, one per line.

import type { AnswerOf } from '../actions/call/call-action.ts'
import { plugins } from '../actions/plugins/index.ts'
import { type Command, flag, readFlags } from './command.ts'
import { callSite } from './open-site.ts'
import { printList } from './table.ts'

const header = ['ID', 'VERSION', 'STATE', 'NAME', 'REASON']

const rowOf = ({ id, version, state, name, reason }: AnswerOf<typeof plugins.list.output>['items'][number]) => [
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
    const values = readFlags(args, { json: flag })
    const { items } = await callSite(io, plugins.list, {})
    printList(io, items, { json: values.json, header, rowOf, none: 'There are no plugins.' })
  },
}

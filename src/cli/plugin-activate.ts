// `postern plugin activate` and `plugin deactivate`. Activating prints each right that it grants, and asks a person at a terminal
// first.

import { plugins } from '../actions/plugins/index.ts'
import { type Command, flag, oneWord, readWords } from './command.ts'
import { exit } from './exit.ts'
import { callAs, callSite, callerFor, withSite } from './open-site.ts'
import { rightsText, tellPlugin } from './plugin-output.ts'
import { confirm } from './read-input.ts'

export const pluginActivate: Command = {
  usage: 'plugin activate ID [--yes] [--json]',
  summary: 'Activates a plugin and grants it the rights that are printed.',
  details: ['--yes   Does not ask for confirmation.'],
  async run(args, io) {
    const { values, positionals } = readWords(args, { yes: flag, json: flag })
    const id = oneWord(positionals, 'Activate which plugin?', 'postern plugin list')
    return withSite(io, async (site) => {
      const caller = await callerFor(site)
      const { item } = await callAs(site, caller, plugins.get, { id })
      io.err(rightsText(item))
      if (!values.yes && io.stdin.isTTY === true && !(await confirm(io, 'Switch it on?'))) {
        io.err('Nothing was changed.\n')
        return exit.refused
      }
      const input = { id, may: item.may.map(({ right }) => right) }
      tellPlugin(io, await callAs(site, caller, plugins.activate, input), values.json)
      return exit.ok
    })
  },
}

export const pluginDeactivate: Command = {
  usage: 'plugin deactivate ID [--json]',
  summary: 'Deactivates a plugin. A running service sees it within a second.',
  async run(args, io) {
    const { values, positionals } = readWords(args, { json: flag })
    const id = oneWord(positionals, 'Deactivate which plugin?', 'postern plugin list')
    const answer = await callSite(io, plugins.deactivate, { id })
    tellPlugin(io, answer, values.json)
    return exit.ok
  },
}

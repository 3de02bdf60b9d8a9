// `postern plugin delete`: deletes a plugin with its files and settings.

import { plugins } from '../actions/plugins/index.ts'
import { type Command, flag, oneWord, readWords } from './command.ts'
import { callSite } from './open-site.ts'

export const pluginDelete: Command = {
  usage: 'plugin delete ID [--keep-data] [--json]',
  summary: 'Deletes a plugin with its files and settings, even while it is active.',
  details: ['--keep-data   Keeps its settings, in case you install it again.'],
  async run(args, io) {
    const { values, positionals } = readWords(args, { 'keep-data': flag, json: flag })
    const id = oneWord(positionals, 'Delete which plugin?', 'postern plugin list')
    const input = { id, expect: 1, keep_data: values['keep-data'] }
    const { done } = await callSite(io, plugins.delete, input)
    io.out(values.json ? `${JSON.stringify({ done })}\n` : done.map((one) => `${one}\n`).join(''))
  },
}

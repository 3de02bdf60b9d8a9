// `postern plugin configure`: changes a plugin's settings. A secret comes from a file or standard input, because the arguments of
// a command are visible in the list of processes.

import { plugins } from '../actions/plugins/index.ts'
import type { PluginItem } from '../actions/plugins/item.ts'
import { readObject, readPairs } from './call-input.ts'
import { type Command, flag, type Io, readWords, UsageError } from './command.ts'
import { callAs, callerFor, withSite } from './open-site.ts'
import { tellPlugin } from './plugin-output.ts'
import { readAll } from './read-input.ts'

export const pluginConfigure: Command = {
  usage: 'plugin configure ID key=value … | - [--json]',
  summary: "Changes a plugin's settings.",
  details: [
    'key=value   A setting. With nothing after the = the setting returns to its default.',
    'key=@FILE   Reads the value from a file; key=@- from standard input. Write @@ for a text that begins with @.',
    '-           Reads all settings from standard input, as one JSON object.',
  ],
  async run(args, io) {
    const { values, positionals } = readWords(args, { json: flag })
    const [id, ...words] = positionals
    if (id === undefined || words.length === 0)
      throw new UsageError('Which settings of which plugin?', 'postern plugin configure useful greeting=Hi')
    const given = await readGiven(words, io)
    const answer = await withSite(io, async (site) => {
      const caller = await callerFor(site)
      const { item } = await callAs(site, caller, plugins.get, { id })
      const settings = 'json' in given ? given.json : toValues(item, given.pairs)
      return callAs(site, caller, plugins.configure, { id, settings })
    })
    tellPlugin(io, answer, values.json)
  },
}

type GivenSettings = { readonly json: Record<string, unknown> } | { readonly pairs: ReadonlyMap<string, string> }

/** A JSON object from standard input, or the texts of the words by key. */
const readGiven = async (words: readonly string[], io: Io): Promise<GivenSettings> =>
  words[0] === '-' ? { json: readObject(await readAll(io), 'Standard input') } : { pairs: await readPairs(words, io) }

/** Turns texts into values of the settings' kinds. A text of another kind stays text, and the action refuses it. */
function toValues({ settings }: PluginItem, given: ReadonlyMap<string, string>): Record<string, unknown> {
  const kindOf = (key: string) => settings.find((setting) => setting.key === key)?.kind ?? 'text'
  return Object.fromEntries([...given].map(([key, text]) => [key, toValue(kindOf(key), text)]))
}

function toValue(kind: string, text: string): unknown {
  if (text === '') return null
  if (kind === 'number' && Number.isFinite(Number(text))) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

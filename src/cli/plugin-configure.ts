// `postern plugin configure`: a plugin's settings by key and value, or from standard input, where no list of processes shows a secret.

import { parseObject } from './call-input.ts'
import { type Command, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'
import { callAction, callerFor, withSite } from './open-site.ts'
import { type PluginAnswer, type PluginItem, tellPlugin } from './plugin-output.ts'
import { readAll } from './read-input.ts'

export const pluginConfigure: Command = {
  usage: 'plugin configure ID key=value … | - [--json]',
  summary: "Changes a plugin's settings.",
  details: [
    'key=value   A setting; with nothing after the sign its default comes back.',
    '-           The settings are a JSON object on standard input: the way for secrets.',
  ],
  async run(args, io) {
    const { values, positionals } = parseWords(args, { json: { type: 'boolean', default: false } })
    const [id, ...words] = positionals
    if (id === undefined || words.length === 0)
      throw new UsageError('Which settings of which plugin?', 'postern plugin configure useful greeting=Hi')
    const given = words[0] === '-' ? parseObject(await readAll(io), 'Standard input') : pairsOf(words)
    const answer = await withSite(io, async (site) => {
      const caller = await callerFor(site, undefined)
      const { item } = (await callAction(site, caller, 'SVC_Plugins.get', { id })).parse() as { item: PluginItem }
      const settings = words[0] === '-' ? given : readValues(item, given)
      return (await callAction(site, caller, 'SVC_Plugins.configure', { id, settings })).parse() as PluginAnswer
    })
    tellPlugin(io, answer, values.json)
    return exit.ok
  },
}

function pairsOf(words: readonly string[]): Record<string, string> {
  const pairs = words.map((word): readonly [string, string] => {
    const at = word.indexOf('=')
    if (at < 1) throw new UsageError(`${JSON.stringify(word)} is no setting.`, 'key=value, such as greeting=Hi')
    return [word.slice(0, at), word.slice(at + 1)]
  })
  const twice = pairs.find(([key], place) => pairs.findIndex(([other]) => other === key) !== place)
  if (twice) throw new UsageError(`${twice[0]} comes twice.`)
  return Object.fromEntries(pairs)
}

/** Texts as values of the settings' kinds; what is of no kind goes on as it is, and is refused with what would be right. */
function readValues({ settings }: PluginItem, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kindOf = (key: string) => settings.find((setting) => setting.key === key)?.kind ?? 'text'
  return Object.fromEntries(Object.entries(given).map(([key, text]) => [key, readValue(kindOf(key), String(text))]))
}

function readValue(kind: string, text: string): unknown {
  if (text === '') return null
  if (kind === 'number' && Number.isFinite(Number(text))) return Number(text)
  if (kind === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

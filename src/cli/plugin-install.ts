// `postern plugin install` and `plugin update`: a package from this machine or from an address.

import { resolve } from 'node:path'
import { type Command, type Io, oneWord, parseWords } from './command.ts'
import { exit } from './exit.ts'
import { callAction, callerFor, withSite } from './open-site.ts'
import { type PluginAnswer, rightsText, tellPlugin } from './plugin-output.ts'

const details = [
  'PATH           A zip, or a folder that holds plugin.json.',
  'URL            A public address of a zip.',
  '--sha256 HEX   The SHA-256 that the zip must have.',
]

export const pluginInstall: Command = {
  usage: 'plugin install PATH|URL [--sha256 HEX] [--json]',
  summary: 'Installs a plugin and prints its id; it is inactive until it is activated.',
  details,
  run: (args, io) => bring(args, io, 'install'),
}

export const pluginUpdate: Command = {
  usage: 'plugin update PATH|URL [--sha256 HEX] [--json]',
  summary: 'Puts another version of an installed plugin in its place.',
  details: [...details, 'It stays active unless it asks for more rights than you confirmed.'],
  run: (args, io) => bring(args, io, 'update'),
}

async function bring(args: readonly string[], io: Io, action: 'install' | 'update'): Promise<number> {
  const { values, positionals } = parseWords(args, { sha256: { type: 'string' }, json: { type: 'boolean', default: false } })
  const from = oneWord(positionals, 'Which package?', `postern plugin ${action} ./useful.zip`)
  const input = {
    ...(/^https?:\/\//i.test(from) ? { url: from } : { path: resolve(from) }),
    ...(values.sha256 === undefined ? {} : { sha256: values.sha256 }),
  }
  const answer = await withSite(io, async (site) =>
    (await callAction(site, await callerFor(site, undefined), `SVC_Plugins.${action}`, input)).parse(),
  )
  const { item } = answer as PluginAnswer
  tellPlugin(io, answer as PluginAnswer, values.json)
  io.err(`${item.name} ${item.version} is ${item.state}.\n`)
  if (item.state !== 'active') io.err(`${rightsText(item)}To switch it on: postern plugin activate ${item.id}\n`)
  return exit.ok
}

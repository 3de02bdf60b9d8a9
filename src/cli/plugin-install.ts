// `postern plugin install` and `plugin update`: read a package from this machine or from a URL.

import { resolve } from 'node:path'
import { plugins } from '../actions/plugins/index.ts'
import { type Command, flag, type Io, oneWord, readWords } from './command.ts'
import { callSite } from './open-site.ts'
import { rightsText, tellPlugin } from './plugin-output.ts'

const details = [
  'PATH           A zip file, or a folder with plugin.json.',
  'URL            The public address of a zip file.',
  '--sha256 HEX   The SHA-256 that the zip file must have.',
]

export const pluginInstall: Command = {
  usage: 'plugin install PATH|URL [--sha256 HEX] [--json]',
  summary: 'Installs a plugin and prints its id. It stays inactive until you activate it.',
  details,
  run: (args, io) => bring(args, io, plugins.install),
}

export const pluginUpdate: Command = {
  usage: 'plugin update PATH|URL [--sha256 HEX] [--json]',
  summary: 'Replaces an installed plugin by another version.',
  details: [...details, 'An active plugin stays active, unless the new version asks for more rights.'],
  run: (args, io) => bring(args, io, plugins.update),
}

async function bring(args: readonly string[], io: Io, action: typeof plugins.install | typeof plugins.update): Promise<void> {
  const { values, positionals } = readWords(args, { sha256: { type: 'string' }, json: flag })
  const from = oneWord(positionals, 'Which package?', `postern plugin ${action.name} ./useful.zip`)
  const input = {
    ...(/^https?:\/\//i.test(from) ? { url: from } : { path: resolve(from) }),
    ...(values.sha256 === undefined ? {} : { sha256: values.sha256 }),
  }
  const answer = await callSite(io, action, input)
  const { item } = answer
  tellPlugin(io, answer, values.json)
  io.err(`${item.name} ${item.version} is ${item.state}.\n`)
  if (item.state !== 'active') io.err(`${rightsText(item)}To activate it: postern plugin activate ${item.id}\n`)
}

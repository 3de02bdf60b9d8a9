// `postern plugin sign`: puts a signature into a plugin's folder. It needs no site: an author signs, and sites hold updates to the same key.

import { type Command, parseWords, UsageError } from './command.ts'
import { exit } from './exit.ts'

export const pluginSign: Command = {
  usage: 'plugin sign FOLDER --key FILE [--json]',
  summary: "Signs a plugin's folder and prints the fingerprint of the key.",
  details: ['--key FILE   The key; made where there is none, readable for you alone. Keep it: updates need it.'],
  async run(args, io) {
    const { values, positionals } = parseWords(args, { key: { type: 'string' }, json: { type: 'boolean', default: false } })
    const [folder, ...more] = positionals
    if (folder === undefined || values.key === undefined || more.length > 0)
      throw new UsageError('Which folder, with which key?', 'postern plugin sign ./useful --key ~/plugins.key')
    // Loaded here, so that no other command needs it.
    const { signFolder } = await import('../plugins/signature.ts')
    const { signer, files } = await signFolder(folder, values.key)
    io.out(values.json ? `${JSON.stringify({ signer, files })}\n` : `${signer}\n`)
    io.err(`signature.json stands for ${files} file${files === 1 ? '' : 's'}; a change of any needs a new one.\n`)
    return exit.ok
  },
}

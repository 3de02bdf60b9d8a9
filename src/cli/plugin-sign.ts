// `postern plugin sign`: writes a signature into the folder of a plugin. Authors sign; a site accepts only updates with the same
// key. The command needs no site.

import { type Command, flag, readWords, UsageError } from './command.ts'

export const pluginSign: Command = {
  usage: 'plugin sign FOLDER --key FILE [--json]',
  summary: 'Signs the folder of a plugin and prints the fingerprint of the key.',
  details: ['--key FILE   The private key. If the file is missing, a new key is created. Keep it: updates need the same key.'],
  async run(args, io) {
    const { values, positionals } = readWords(args, { key: { type: 'string' }, json: flag })
    const [folder, ...more] = positionals
    if (folder === undefined || values.key === undefined || more.length > 0)
      throw new UsageError('Which folder, with which key?', 'postern plugin sign ./useful --key ~/plugins.key')
    const { signFolder } = await import('../plugins/signature.ts')
    const { signer, files } = await signFolder(folder, values.key)
    io.out(values.json ? `${JSON.stringify({ signer, files })}\n` : `${signer}\n`)
    io.err(`signature.json covers ${files} file${files === 1 ? '' : 's'}. Sign again after every change.\n`)
  },
}

// `postern backup send`: sends sealed backups to the place elsewhere now.

import { type Command, flag, readFlags } from './command.ts'
import { withSite } from './open-site.ts'

export const backupSend: Command = {
  usage: 'backup send [--json]',
  summary: 'Sends the sealed backups that are missing elsewhere, prunes those there, and checks the newest if that is due.',
  details: ['The service does this by itself after each backup. SVC_Backup.set-target sets the place.'],
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const result = await withSite(io, ({ elsewhere }) =>
      elsewhere.send(new AbortController().signal, ({ note }) => io.err(`${note}\n`)),
    )
    io.out(values.json ? `${JSON.stringify(result)}\n` : result.sent.map((file) => `${file}\n`).join(''))
    if (result.sent.length === 0) io.err('All backups that are to be there are there.\n')
  },
}

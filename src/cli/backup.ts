// `postern backup`: the site as one file, made beside a running service. A timer of the system runs this every night.

import { resolve } from 'node:path'
import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { readNamedPassphrase } from './backup-passphrase.ts'
import { withSite } from './open-site.ts'

export const backup: Command = {
  usage: 'backup [--note TEXT] [--out FILE] [--passphrase-file FILE] [--json]',
  summary: 'Makes a backup, tries it by restoring it in a scratch place, thins out the older ones, and prints its path.',
  details: [
    '--note TEXT   What it is for; one with a note is never thinned out.',
    '--out FILE    Writes it there instead of the folder of backups, sealed; it is not listed, and stays.',
    '--passphrase-file FILE   Seals it with the passphrase in this file, instead of the site’s own.',
  ],
  async run(args, io) {
    const values = parseFlags(args, {
      note: { type: 'string' },
      out: { type: 'string' },
      'passphrase-file': { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    return withSite(io, async ({ backups }) => {
      const { backupItemOf } = await import('../actions/classes/svc-backup.ts')
      const { unsealedStays } = await import('../backup/download-link.ts')
      const { isSealedName } = await import('../backup/folder.ts')
      const out = values.out === undefined ? undefined : resolve(values.out)
      const passphrase = await readNamedPassphrase(values['passphrase-file'])
      const row = await backups.create({ note: values.note ?? null, out, passphrase })
      const path = out ?? backups.pathOf(row)
      io.out(values.json ? `${JSON.stringify({ ...backupItemOf(row), path })}\n` : `${path}\n`)
      if (out === undefined && !isSealedName(row.file)) io.err(`${unsealedStays}\n`)
      return exit.ok
    })
  },
}

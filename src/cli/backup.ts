// `postern backup`: saves the site into one file, even while it is served. A systemd timer runs this every night.

import { resolve } from 'node:path'
import { type Command, flag, readFlags } from './command.ts'
import { readNamedPassphrase } from './backup-passphrase.ts'
import { withSite } from './open-site.ts'

export const backup: Command = {
  usage: 'backup [--note TEXT] [--out FILE] [--passphrase-file FILE] [--json]',
  summary: 'Makes a backup, tests it by restoring it in a scratch folder, prunes older backups, and prints its path.',
  details: [
    '--note TEXT   What the backup is for. A backup with a note is never pruned.',
    '--out FILE    Writes the backup there, sealed, instead of into the folder of backups. It is not listed and never pruned.',
    '--passphrase-file FILE   Seals the backup with the passphrase in this file instead of the passphrase of the site.',
  ],
  async run(args, io) {
    const values = readFlags(args, {
      note: { type: 'string' },
      out: { type: 'string' },
      'passphrase-file': { type: 'string' },
      json: flag,
    })
    return withSite(io, async ({ backups }) => {
      const { backupItemOf } = await import('../actions/backup/backup-item.ts')
      const { unsealedStays } = await import('../backup/download-link.ts')
      const { isSealedName } = await import('../backup/folder.ts')
      const out = values.out === undefined ? undefined : resolve(values.out)
      const passphrase = await readNamedPassphrase(values['passphrase-file'])
      const row = await backups.create({ note: values.note ?? null, out, passphrase })
      const path = out ?? backups.pathOf(row)
      io.out(values.json ? `${JSON.stringify({ ...backupItemOf(row), path })}\n` : `${path}\n`)
      if (out === undefined && !isSealedName(row.file)) io.err(`${unsealedStays}\n`)
    })
  },
}

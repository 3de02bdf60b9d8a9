// `postern backup`: saves the site into one file, also while it is served. A systemd timer runs this every night.

import { resolve } from 'node:path'
import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { withSite } from './open-site.ts'

export const backup: Command = {
  usage: 'backup [--note TEXT] [--out FILE] [--json]',
  summary: 'Makes a backup, tests it by restoring it in a scratch folder, prunes older backups, and prints its path.',
  details: [
    '--note TEXT   What the backup is for. A backup with a note is never pruned.',
    '--out FILE    Writes the backup there instead of into the folder of backups. It is not listed and never pruned.',
  ],
  async run(args, io) {
    const values = parseFlags(args, {
      note: { type: 'string' },
      out: { type: 'string' },
      json: { type: 'boolean', default: false },
    })
    return withSite(io, async ({ backups }) => {
      const { backupItemOf } = await import('../actions/classes/svc-backup.ts')
      const out = values.out === undefined ? undefined : resolve(values.out)
      const row = await backups.create({ note: values.note ?? null, out })
      const path = out ?? backups.pathOf(row)
      io.out(values.json ? `${JSON.stringify({ ...backupItemOf(row), path })}\n` : `${path}\n`)
      return exit.ok
    })
  },
}

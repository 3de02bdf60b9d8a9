// `postern backup list`: the backups there are, a line each, the newest first.

import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { withSite } from './open-site.ts'

export const backupList: Command = {
  usage: 'backup list [--json]',
  summary: 'Lists the backups: id, when made, bytes, when last found good or what is wrong, file, note.',
  async run(args, io) {
    const values = parseFlags(args, { json: { type: 'boolean', default: false } })
    const items = await withSite(io, async ({ store }) => {
      const { backupItemOf } = await import('../actions/classes/svc-backup.ts')
      const { listBackups } = await import('../backup/backup-store.ts')
      return (await listBackups(store.read)).map(backupItemOf)
    })
    if (values.json) io.out(`${JSON.stringify(items)}\n`)
    else
      for (const { id, created_at: at, bytes, verified_at: verified, error, file, note } of items)
        io.out(`${[id, at, bytes, error === null ? (verified ?? '-') : `bad: ${error}`, file, note ?? '-'].join('\t')}\n`)
    if (items.length === 0) io.err('There is no backup yet: postern backup\n')
    return exit.ok
  },
}

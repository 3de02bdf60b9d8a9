// `postern backup list`: the backups, one per line, newest first.

import { type Command, flag, readFlags } from './command.ts'
import { withSite } from './open-site.ts'
import { printList } from './table.ts'

export const backupList: Command = {
  usage: 'backup list [--json]',
  summary: 'Lists the backups, newest first: id, creation time, bytes, last successful check or error, file, note.',
  async run(args, io) {
    const values = readFlags(args, { json: flag })
    const items = await withSite(io, async ({ store }) => {
      const { backupItemOf } = await import('../actions/backup/backup-item.ts')
      const { listBackups } = await import('../backup/backup-store.ts')
      return (await listBackups(store.read)).map(backupItemOf)
    })
    printList(io, items, {
      json: values.json,
      header: ['ID', 'CREATED', 'BYTES', 'VERIFIED', 'FILE', 'NOTE'],
      rowOf: ({ id, created_at: at, bytes, verified_at: verified, error, file, note }) => [
        id,
        at,
        bytes,
        error === null ? (verified ?? '-') : `bad: ${error}`,
        file,
        note ?? '-',
      ],
      none: 'There are no backups yet. Try: postern backup',
    })
  },
}

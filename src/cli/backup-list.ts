// `postern backup list`: the backups, one per line, newest first.

import { type Command, flag, readFlags } from './command.ts'
import { fromHelp, listFrom } from './from-elsewhere.ts'
import { withSite } from './open-site.ts'
import { printList } from './table.ts'

export const backupList: Command = {
  usage: 'backup list [--from elsewhere|FILE] [--json]',
  summary: 'Lists the backups, newest first: id, creation time, bytes, last successful check or error, file, note.',
  details: ['With --from, lists the sealed backups there: file, bytes.', ...fromHelp],
  async run(args, io) {
    const values = readFlags(args, { from: { type: 'string' }, json: flag })
    if (values.from !== undefined)
      return printList(io, await listFrom(io, values.from), {
        json: values.json,
        header: ['FILE', 'BYTES'],
        rowOf: ({ name, bytes }) => [name, bytes],
        none: 'There are no sealed backups. Try: postern backup send',
      })
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

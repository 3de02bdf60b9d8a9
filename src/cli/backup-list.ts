// `postern backup list`: the backups, one per line, newest first.

import { type Command, parseFlags } from './command.ts'
import { exit } from './exit.ts'
import { withSite } from './open-site.ts'
import { printTable } from './table.ts'

const header = ['ID', 'CREATED', 'BYTES', 'VERIFIED', 'FILE', 'NOTE']

export const backupList: Command = {
  usage: 'backup list [--json]',
  summary: 'Lists the backups, newest first: id, creation time, bytes, last successful check or error, file, note.',
  async run(args, io) {
    const values = parseFlags(args, { json: { type: 'boolean', default: false } })
    const items = await withSite(io, async ({ store }) => {
      const { backupItemOf } = await import('../actions/classes/svc-backup.ts')
      const { listBackups } = await import('../backup/backup-store.ts')
      return (await listBackups(store.read)).map(backupItemOf)
    })
    const rowOf = ({ id, created_at: at, bytes, verified_at: verified, error, file, note }: (typeof items)[number]) =>
      [id, at, bytes, error === null ? (verified ?? '-') : `bad: ${error}`, file, note ?? '-'] as const
    if (values.json) io.out(`${JSON.stringify(items)}\n`)
    else printTable(io, header, items.map(rowOf))
    if (items.length === 0) io.err('There are no backups yet. Try: postern backup\n')
    return exit.ok
  },
}

import { listAction } from '../shared/list-action.ts'
import { backupItem, backupItemOf } from './backup-item.ts'

export const list = listAction('SVC_Backup.list', {
  title: 'List the backups',
  summary: 'Lists the backups, each with the result of its verification.',
  tier: 'admin',
  examples: [{ title: 'The newest first', input: { limit: 10 } }],
  list: {
    table: 'backup',
    key: 'id',
    fields: {
      id: { column: 'id', kind: 'text', indexed: true },
      file: { column: 'file', kind: 'text' },
      note: { column: 'note', kind: 'text', nullable: true },
      bytes: { column: 'bytes', kind: 'number', sort: true },
      created_at: { column: 'created_at', kind: 'time', sort: true },
      verified_at: { column: 'verified_at', kind: 'time', nullable: true },
      error: { column: 'error', kind: 'text', nullable: true },
    },
    sort: '-created_at',
    search: ['note', 'file'],
  },
  item: backupItem,
  items: () => backupItemOf,
})

// SVC_Backup.list: lists the backups, each with the result of its verification.

import { action } from '../../action.ts'
import { listAnswer, type ListInput, listOutput, listProperties, listRows, type ListSpec } from '../../list.ts'
import { backupItem, backupItemOf } from './backup-item.ts'
import { closed } from '../../../schema.ts'

const backupList: ListSpec<'backup'> = {
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
}

export const list = action('SVC_Backup.list', {
  title: 'List the backups',
  summary: 'Lists the backups, each with the result of its verification.',
  tier: 'admin',
  effect: 'read',
  failures: [],
  touches: 'nothing',
  input: closed(listProperties(backupList)),
  output: listOutput(backupItem),
  examples: [{ title: 'The newest first', input: { limit: 10 } }],
  async run(context, input: ListInput) {
    const page = await listRows(context, backupList, input)
    return listAnswer(context, page, (row) => backupItemOf(row))
  },
})

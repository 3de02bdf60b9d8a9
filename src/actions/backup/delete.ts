import { Type } from 'typebox'
import { getBackup } from '../../backup/backup-store.ts'
import type { BackupRow } from '../../store/core/schema.ts'
import { action } from '../call/action.ts'
import { expectProperty, checkExpected } from '../shared/expect.ts'
import { doneOutput } from '../call/write-answer.ts'
import { idProperty } from './backup-item.ts'
import { closed } from '../../base/schema.ts'

export const deleteBackup = action('SVC_Backup.delete', {
  title: 'Delete [the backup {title}|a backup]',
  summary: 'Deletes backups. This cannot be undone.',
  did: 'deleted [the backup {title}|a backup]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'backups',
  input: closed({
    ids: Type.Array(idProperty, { minItems: 1, maxItems: 100, description: 'Ids or file names.' }),
    expect: expectProperty('backups'),
  }),
  output: doneOutput,
  examples: [{ title: 'Delete the oldest', input: { ids: ['oldest'], expect: 1 } }],
  async run(context, { ids, expect }) {
    const rows = new Map<string, BackupRow>()
    for (const id of ids) {
      const row = await getBackup(context.db, id)
      rows.set(row.id, row)
    }
    checkExpected(rows.size, expect, 'backups')
    await context.site.backups.checkHere([...rows.values()])
    await context.db
      .deleteFrom('backup')
      .where('id', 'in', [...rows.keys()])
      .execute()
    // If a file can't be deleted, the next backup adds its row again.
    context.afterCommit(() => context.site.backups.remove([...rows.values()]))
    return { done: [...rows.keys()], unchanged: [], warnings: [], activity_id: null }
  },
})

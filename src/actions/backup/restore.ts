import { Type } from 'typebox'
import { getBackup } from '../../backup/backup-store.ts'
import { Failure } from '../../base/failure.ts'
import { action } from '../call/action.ts'
import { expectProperty, checkExpected } from '../shared/expect.ts'
import { writeProperties } from '../call/write-answer.ts'
import { backupItem, backupItemOf, idProperty } from './backup-item.ts'
import { closed } from '../../base/schema.ts'

export const restore = action('SVC_Backup.restore', {
  title: 'Restore [the backup {title}|a backup]',
  summary: 'Answers the command that restores a backup. A running service does not replace its own database.',
  did: 'restored [the backup {title}|a backup]',
  tier: 'admin',
  effect: 'destroy',
  failures: ['not_found', 'conflict'],
  touches: 'unlimited',
  input: closed({ id: idProperty, expect: expectProperty('backups, always 1,') }),
  output: Type.Object({
    item: backupItem,
    command: Type.String({ description: 'Run this on the server while the service is stopped.' }),
    ...writeProperties,
  }),
  examples: [{ title: 'How to restore the newest', input: { id: 'latest', expect: 1 } }],
  async run(context, { id, expect }) {
    const row = await getBackup(context.db, id)
    checkExpected(1, expect, 'backups')
    const command = `scripts/postern restore ${row.file}`
    if (context.dryRun) return { item: backupItemOf(row), command, warnings: [], activity_id: null }
    throw new Failure('refused', `A backup is restored while the service is stopped: ${command}`, {
      rule: 'the site is not open while it is replaced',
      hint: `On the server: systemctl stop postern.socket postern.service, then ${command}, then systemctl start the two.`,
    })
  },
})

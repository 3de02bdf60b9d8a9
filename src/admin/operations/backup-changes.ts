// The forms of the pages of backups: test, delete, and the schedule.

import { backups } from '../../actions/backup/index.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword } from '../access/confirm-password.ts'
import { readFields } from '../form.ts'
import { run, start } from '../page.ts'
import { goAfter, goDone } from '../parts/done-notice.ts'
import { adminPaths } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { backupReply } from './backup-page.ts'
import { backupsReply } from './backups-page.ts'

export async function verifyBackup(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'verify-backup')
  const [id, passphrase] = [fields.get('id'), fields.get('passphrase')]
  const { job, failure } = await start(visit, backups.verify, { id, ...(passphrase === '' ? {} : { passphrase }) })
  if (failure) return backupReply(visit, id, { failure })
  return goAfter(visit, `${adminPaths.backups}?id=${encodeURIComponent(id)}`, job, 'operations.done_backup_good')
}

export async function deleteBackup(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'delete-backup')
  const id = fields.get('id')
  const refused = await confirmPassword(visit, fields)
  if (refused) return backupReply(visit, id, refused)
  const { failure } = await run(visit, backups.delete, { ids: [id], expect: 1 })
  return failure ? backupsReply(visit, { failure }) : goDone(visit, adminPaths.backups, backups.delete)
}

/** Returns the number in a text. A text that is not a whole number stays as it is, so that the action refuses it. */
const numberIn = (text: string): unknown => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text)

export async function saveSchedule(visit: SignedIn): Promise<Reply> {
  const fields = await readFields(visit, 'backup-schedule')
  const refused = await confirmPassword(visit, fields)
  if (refused) return backupsReply(visit, { fields, of: 'schedule', ...refused })
  const every = fields.get('every')
  const keep = Object.fromEntries(['daily', 'weekly', 'monthly'].map((name) => [name, numberIn(fields.get(name))]))
  const { failure } = await run(visit, backups.schedule, { every, keep })
  if (failure) return backupsReply(visit, { fields, failure, of: 'schedule' })
  return goDone(visit, adminPaths.backups, backups.schedule)
}

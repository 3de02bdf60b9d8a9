// The forms of the pages of backups: test, delete, and the schedule.

import { backups } from '../../actions/backup/index.ts'
import { run, start } from '../page.ts'
import { doing } from '../parts/form-input.ts'
import { goAfter, goDone } from '../parts/done-notice.ts'
import { adminPaths } from '../paths.ts'
import { backupReply } from './backup-page.ts'
import { backupsReply } from './backups-page.ts'
import { provenTaker } from '../access/confirm-password.ts'
import { type Again, formTaker, type Work } from '../parts/post-form.ts'

const again: Again = (visit, refused) => backupReply(visit, refused.fields.get('id'), refused)

const verify: Work = async (visit, fields) => {
  const [id, passphrase] = [fields.get('id'), fields.get('passphrase')]
  const { job, failure } = await start(visit, backups.verify, { id, ...(passphrase === '' ? {} : { passphrase }) })
  const done = 'operations.done_backup_good'
  return failure ?? goAfter(visit, `${adminPaths.backups}?id=${encodeURIComponent(id)}`, job, done)
}

export const verifyBackup = formTaker('verify-backup', verify, again)

const remove: Work = async (visit, fields) => {
  const { failure } = await run(visit, backups.delete, { ids: [fields.get('id')], expect: 1 })
  return failure ? backupsReply(visit, { failure }) : goDone(visit, adminPaths.backups, backups.delete)
}

export const deleteBackup = provenTaker('delete-backup', remove, again)

/** Returns the number in a text. A text that is not a whole number stays as it is, so that the action refuses it. */
const numberIn = (text: string): unknown => (/^\d{1,9}$/.test(text.trim()) ? Number(text) : text)

const kept = ['daily', 'weekly', 'monthly']

const schedule = doing(
  backups.schedule,
  (fields) => ({ every: fields.get('every'), keep: Object.fromEntries(kept.map((name) => [name, numberIn(fields.get(name))])) }),
  (visit) => goDone(visit, adminPaths.backups, backups.schedule),
)

export const saveSchedule = provenTaker('backup-schedule', schedule, backupsReply)

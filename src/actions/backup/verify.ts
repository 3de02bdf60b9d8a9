import { Type } from 'typebox'
import { getBackup } from '../../backup/backup-store.ts'
import { action } from '../call/action.ts'
import { backupItem, backupItemOf, passphraseProperty, idProperty, touchesByPassphrase } from './backup-item.ts'
import { closed } from '../../base/schema.ts'

export const verify = action('SVC_Backup.verify', {
  title: 'Verify a backup',
  summary: 'Verifies a backup: checks every hash, restores it in a scratch folder, opens the site there, and notes the result.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found', 'unprocessable'],
  touches: touchesByPassphrase,
  job: true,
  input: closed({
    id: idProperty,
    passphrase: passphraseProperty('For a backup that was not sealed with the passphrase of the site.'),
  }),
  secrets: ['passphrase'],
  output: Type.Object({ item: backupItem }),
  examples: [{ title: 'Verify the newest', input: { id: 'latest' } }],
  async run({ db, site, signal }, { id, passphrase }) {
    return { item: backupItemOf(await site.backups.verify(await getBackup(db, id), { passphrase, signal })) }
  },
})

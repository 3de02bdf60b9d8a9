import { Type } from 'typebox'
import { closed } from '../../base/schema.ts'
import { action } from '../call/action.ts'
import { idProperty, passphraseProperty, touchesByPassphrase } from './backup-item.ts'
import { copyItem, copyItemOf } from './target-item.ts'

export const verifyCopy = action('SVC_Backup.verify-copy', {
  title: 'Verify a backup elsewhere',
  summary: 'Downloads a backup from elsewhere, restores it in a scratch folder, opens the site there, and notes the result.',
  tier: 'admin',
  effect: 'read',
  touches: touchesByPassphrase,
  failures: ['unreachable', 'not_found', 'unprocessable'],
  job: true,
  input: closed({
    id: idProperty,
    passphrase: passphraseProperty('For a backup that was not sealed with the passphrase of the site.'),
  }),
  secrets: ['passphrase'],
  output: Type.Object({ item: copyItem }),
  examples: [{ title: 'Verify the newest there', input: { id: 'latest' } }],
  run: async ({ site, signal }, { id, passphrase }) => ({
    item: copyItemOf(await site.elsewhere.verify(id, { passphrase, signal })),
  }),
})

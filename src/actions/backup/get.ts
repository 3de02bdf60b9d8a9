import { Type } from 'typebox'
import { getBackup } from '../../backup/backup-store.ts'
import { downloadMs, signDownload, unsealedStays } from '../../backup/download-link.ts'
import { whereItIs } from '../../backup/where.ts'
import { formatDate } from '../../settings/time-zone.ts'
import { action } from '../call/action.ts'
import { nullable } from '../call/write-answer.ts'
import { backupItem, backupItemOf, idProperty } from './backup-item.ts'
import { closed } from '../../base/schema.ts'

export const get = action('SVC_Backup.get', {
  title: 'Show a backup',
  summary: 'Shows a backup. A sealed one has a link to its file, which works for ten minutes.',
  tier: 'admin',
  effect: 'read',
  failures: ['not_found'],
  opensSite: true,
  input: closed({ id: idProperty }),
  output: Type.Object({
    item: backupItem,
    url: nullable(
      Type.String(),
      'Anyone with this link can fetch the file, which only its passphrase opens. Null where the backup is not sealed.',
    ),
    url_expires_at: nullable(Type.String()),
    url_refused: nullable(Type.String(), 'Why there is no link; null where there is one.'),
  }),
  examples: [{ title: 'A link to the newest', input: { id: 'latest' } }],
  async run({ db, site, origin, now, caller }, { id }) {
    const row = await getBackup(db, id)
    const item = backupItemOf(row)
    if (!item.sealed) return { item, url: null, url_expires_at: null, url_refused: unsealedStays }
    if (await site.backups.isElsewhere(row)) return { item, url: null, url_expires_at: null, url_refused: whereItIs(row) }
    const until = now + downloadMs
    const url = origin + signDownload(site.key, row.id, until, caller)
    return { item, url, url_expires_at: formatDate(until), url_refused: null }
  },
})

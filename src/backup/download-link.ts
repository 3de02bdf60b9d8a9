// Links that download a backup without a sign-in. A link is valid for one file and ten minutes, while its caller has access. The
// admin's `admin/operations/backup-file.ts` answers requests for these links.

import type { Caller } from '../identity/caller.ts'
import { sealLink } from '../identity/signed-link.ts'
import type { SiteKey } from '../identity/site-key.ts'

/** The validity of a link, in milliseconds. */
export const downloadMs = 10 * 60_000

/** The sentence that explains why a backup has no link, with the remedy. */
export const unsealedStays =
  'This backup is not sealed, so it stays on the machine: keep a passphrase in /etc/credstore/postern-backup-passphrase or POSTERN_BACKUP_PASSPHRASE_FILE, and make another.'

/** The path of a backup's file, below the base path. */
export const downloadPath = (id: string): string => `/admin/backups/${id}`

/** The path and query of a link. @param until UTC milliseconds */
export const signDownload = (key: SiteKey, id: string, until: number, caller: Caller): string =>
  `${downloadPath(id)}?key=${sealLink(key, 'backup', { id, until }, caller)}`

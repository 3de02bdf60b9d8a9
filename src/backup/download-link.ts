// Links that download a backup without a sign-in. A link is signed with the site's key and is valid for one file and ten minutes. The
// admin's `backup-file.ts` answers requests for these links.

import { createHmac } from 'node:crypto'
import type { SiteKey } from '../identity/site-key.ts'
import { sameSecret } from '../same-secret.ts'

/** How long a link is valid, in milliseconds. */
export const downloadMs = 10 * 60_000

/** The sentence that explains why a backup has no link, and what to do. */
export const unsealedStays =
  'This backup is not sealed, so it stays on the machine: keep a passphrase in /etc/credstore/postern-backup-passphrase or POSTERN_BACKUP_PASSPHRASE_FILE, and make another.'

/** The path of a backup's file, below the base path. */
export const downloadPath = (id: string): string => `/admin/backups/${id}`

/** The path and query of a link. @param until UTC milliseconds */
export function signDownload(key: SiteKey, id: string, until: number): string {
  return `${downloadPath(id)}?until=${until}&key=${macOf(key, id, String(until)).toString('base64url')}`
}

/** Whether the query of a link was signed for this backup and has not expired. */
export function isGoodDownload(key: SiteKey, id: string, query: URLSearchParams, now: number): boolean {
  const until = query.get('until') ?? ''
  const given = Buffer.from(query.get('key') ?? '', 'base64url')
  const right = macOf(key, id, until)
  return sameSecret(given, right) && Number(until) > now
}

const macOf = (key: SiteKey, id: string, until: string): Buffer =>
  createHmac('sha256', key.derive('backup-download')).update(`${id} ${until}`).digest()

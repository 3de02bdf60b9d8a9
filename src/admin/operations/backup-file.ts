// The file of a backup, for anyone with a link from SVC_Backup.get. No cookie is read: the link is the key, and is valid for ten
// minutes.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { IdentityServices, OperationServices, StoreServices } from '../../actions/call/services.ts'
import { isSealedFile } from '../../backup/archive-source.ts'
import { findBackup } from '../../backup/backup-store.ts'
import { unsealedStays } from '../../backup/download-link.ts'
import { linkRequestOf } from '../../doors/shared/link-request.ts'
import { HttpFailure } from '../../http/failure.ts'
import { stream } from '../../http/reply.ts'
import type { Handler } from '../../http/route.ts'
import { openLink } from '../../identity/signed-link.ts'
import { wordsOf } from '../words.ts'

/** Serves the file of a sealed backup. The answer is the same for a wrong link, an expired link and a missing file. */
export function serveBackup(site: IdentityServices & OperationServices & StoreServices): Handler {
  return async (request, { id = '' }) => {
    const given = request.query.get('key') ?? ''
    const link = await openLink({ key: site.key, db: site.store.read }, 'backup', given, linkRequestOf(site, request))
    const row = link?.id === id && !link.isOver ? await findBackup(site.store.read, id) : undefined
    const size = row && (await stat(site.backups.pathOf(row)).catch(() => undefined))?.size
    if (!row || size === undefined) throw new HttpFailure('not_found', wordsOf(request)('operations.link_expired'))
    // This checks the bytes of the file, not its name.
    if (!(await isSealedFile(site.backups.pathOf(row)))) throw new HttpFailure('forbidden', wordsOf(request).said(unsealedStays))
    return stream(200, partsOf(site.backups.pathOf(row)), {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'content-disposition': `attachment; filename="${row.file}"`,
      'cache-control': 'no-store',
    })
  }
}

/** Opens the file when the first part is read, so a HEAD request never opens it. */
async function* partsOf(path: string): AsyncIterable<Uint8Array> {
  for await (const part of createReadStream(path, { highWaterMark: 256 * 1024 })) yield part as Uint8Array
}

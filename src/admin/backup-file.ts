// The file of a backup, for whoever has a link that SVC_Backup.get made. No cookie is read: the link is the key, for ten minutes.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Services } from '../actions/services.ts'
import { isSealedFile } from '../backup/archive-source.ts'
import { findBackup } from '../backup/backup-store.ts'
import { isGoodDownload, unsealedStays } from '../backup/download-link.ts'
import { HttpFailure } from '../http/failure.ts'
import { stream } from '../http/reply.ts'
import type { Handler } from '../http/route.ts'

/** Serves the file of a sealed backup; a link that is wrong, old or of a file that is gone is told alike. */
export function serveBackup(site: Services): Handler {
  return async (request, { id = '' }) => {
    const good = isGoodDownload(site.key, id, request.query, site.tokens.now())
    const row = good ? await findBackup(site.store.read, id) : undefined
    const size = row && (await stat(site.backups.pathOf(row)).catch(() => undefined))?.size
    if (!row || size === undefined) throw new HttpFailure('not_found', 'This link leads to no backup, or has expired.')
    // By its bytes, not its name: what lies there is what is sent.
    if (!(await isSealedFile(site.backups.pathOf(row)))) throw new HttpFailure('forbidden', unsealedStays)
    return stream(200, partsOf(site.backups.pathOf(row)), {
      'content-type': 'application/octet-stream',
      'content-length': String(size),
      'content-disposition': `attachment; filename="${row.file}"`,
      'cache-control': 'no-store',
    })
  }
}

/** Opened when the first part is asked for: never for HEAD. */
async function* partsOf(path: string): AsyncIterable<Uint8Array> {
  for await (const part of createReadStream(path, { highWaterMark: 256 * 1024 })) yield part as Uint8Array
}

// A file that a visitor sent by a form, as a download for people who may read submissions. A browser never shows it, whatever it
// is.

import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { forms } from '../../actions/forms/index.ts'
import { unlessMissing } from '../../base/missing.ts'
import { pathOfFile } from '../../forms/form-files.ts'
import { contentDisposition } from '../../http/content-disposition.ts'
import { HttpFailure } from '../../http/failure.ts'
import { type Reply, stream } from '../../http/reply.ts'
import { get } from '../page.ts'
import type { SignedIn } from '../visit.ts'

/** GET: the file with a number of a submission. @throws HttpFailure `not_found`; a failure for who may not read submissions */
export async function sendFormFile(visit: SignedIn): Promise<Reply> {
  const { query } = visit.request
  const number = Number(/^\d$/.exec(query.get('file') ?? '')?.[0] ?? NaN)
  const { items } = await get(visit, forms.submissions, { where: { id: (query.get('id') ?? '').slice(0, 40) } })
  const [item] = items
  const file = item?.files[number]
  const path = item && file ? pathOfFile(visit.site.config.POSTERN_HOME, item.id, number) : undefined
  const size = path === undefined ? undefined : (await unlessMissing(stat(path)))?.size
  if (!file || path === undefined || size === undefined) throw new HttpFailure('not_found', visit.t('structure.form_file_gone'))
  return stream(200, bytesOf(path), {
    'content-type': 'application/octet-stream',
    'content-length': String(size),
    'content-disposition': contentDisposition('attachment', file.name),
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, no-store',
  })
}

/** Opens the file when the first part is read, so a HEAD request never opens it. */
async function* bytesOf(path: string): AsyncIterable<Uint8Array> {
  for await (const part of createReadStream(path)) yield part as Uint8Array
}

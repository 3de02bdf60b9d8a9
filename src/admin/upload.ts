// A form with a file, as it comes back from a page of ours. Who sent it is known before the file is taken up by anything.

import { readUploadedForm } from '../doors/read-upload.ts'
import { dropIncoming, type Incoming } from '../media/incoming.ts'
import { type Fields, holdFields, holdSameSite } from './form.ts'
import type { Visit } from './visit.ts'

export interface Upload {
  readonly fields: Fields
  /** Undefined where none was chosen. */
  readonly file: Incoming | undefined
}

/**
 * Reads a form with a file, and hands it on; a file that was not taken up by then is dropped.
 * @throws HttpFailure as `readFields` and `readUploadedForm` do
 */
export async function withUpload<T>(
  visit: Visit & { readonly now: number },
  purpose: string,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  holdSameSite(visit.request)
  const home = visit.site.config.POSTERN_HOME
  const { fields, file } = await readUploadedForm(visit.request, { home, now: visit.now })
  try {
    return await use({ fields: holdFields(visit, purpose, fields), file })
  } finally {
    if (file) await dropIncoming(home, file.id)
  }
}

// Submitted forms with a file. The form is checked before anything uses the file.

import { readUploadedForm } from '../../doors/read-upload.ts'
import { dropIncoming, type Incoming } from '../../media/incoming.ts'
import { type Fields, checkFields, checkSameSite } from '../form.ts'
import type { Visit } from '../visit.ts'

export interface Upload {
  readonly fields: Fields
  /** Undefined where none was chosen. */
  readonly file: Incoming | undefined
}

/**
 * Reads a form with a file and calls `use`. A file that `use` has not taken is deleted afterwards.
 * @throws HttpFailure as `readFields` and `readUploadedForm` do
 */
export async function withUpload<T>(
  visit: Visit & { readonly now: number },
  purpose: string,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  checkSameSite(visit.request)
  const home = visit.site.config.POSTERN_HOME
  const { fields, file } = await readUploadedForm(visit.request, { home, now: visit.now })
  try {
    return await use({ fields: checkFields(visit, purpose, fields), file })
  } finally {
    if (file) await dropIncoming(home, file.id)
  }
}

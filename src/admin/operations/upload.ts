// Submitted forms with files. The form is checked before any file is used.

import { readUploadedForm, type UploadedFile } from '../../doors/shared/read-upload.ts'
import { dropIncoming } from '../../media/incoming.ts'
import { type Fields, checkFields, checkSameSite } from '../form.ts'
import type { Visit } from '../visit.ts'

export interface Upload {
  readonly fields: Fields
  readonly files: readonly UploadedFile[]
}

/** The limits of a form: the largest file in bytes, and the number of files. */
interface UploadLimits {
  readonly maxBytes?: number
  readonly maxFiles?: number
}

/**
 * Reads a form with files and calls `use`. Afterwards, the files that `use` has not taken are deleted.
 * @throws HttpFailure as `readFields` and `readUploadedForm` do
 */
export async function withUpload<T>(
  visit: Visit & { readonly now: number },
  purpose: string,
  use: (upload: Upload) => Promise<T>,
  limits: UploadLimits = {},
): Promise<T> {
  checkSameSite(visit.request)
  const home = visit.site.config.POSTERN_HOME
  const { fields, files } = await readUploadedForm(visit.request, { home, now: visit.now, ...limits })
  try {
    return await use({ fields: checkFields(visit, purpose, fields), files })
  } finally {
    for (const { id } of files) await dropIncoming(home, id)
  }
}

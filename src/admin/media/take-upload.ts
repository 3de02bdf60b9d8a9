// Takes uploads to the media library (`upload-form.ts`), with and without the script of the page.

import { maxFileBytes } from '../../actions/media/arrival.ts'
import { media } from '../../actions/media/index.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import type { Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { withUpload } from '../operations/upload.ts'
import { notYours, run } from '../page.ts'
import { goDone } from '../parts/done-notice.ts'
import { adminPaths } from '../paths.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { libraryReply } from './library-page.ts'
import { maxFiles, purpose } from './upload-form.ts'

/** POST without script, with all files of the form. */
export function takeUpload(visit: SignedIn): Promise<Reply> {
  return storeFiles(visit, ({ count, failed, first, fields }) => {
    if (count === 0) return libraryReply(visit, { refused: { fault: visit.t('media.choose_file'), fields }, status: 422 })
    if (!first) return goDone(visit, adminPaths.media, 'media.done_uploaded')
    const stored = count - failed.length
    const faults = failed.join(' ')
    const fault = stored > 0 ? visit.t('media.stored_others', { faults, count: stored }) : faults
    return libraryReply(visit, { refused: { fault, fields }, status: formStatus[first.code] })
  })
}

/** POST by the script of the page, with one file. */
export function takeUploadedFile(visit: SignedIn): Promise<Reply> {
  return storeFiles(visit, ({ count, failed: [fault], first }) => {
    if (first) return dataReply(visit, formStatus[first.code], { message: fault })
    return count === 0 ? dataReply(visit, 422, { message: visit.t('media.choose_file') }) : dataReply(visit, 200, {})
  })
}

/** The result of storing the files of a form. */
interface Stored {
  readonly count: number
  /** One sentence per refused file, with its name. */
  readonly failed: readonly string[]
  readonly first: Failure | undefined
  readonly fields: Fields
}

function storeFiles(visit: SignedIn, answer: (stored: Stored) => Reply | Promise<Reply>): Promise<Reply> {
  if (!mayRun(visit, media.upload)) throw notYours(visit)
  const limits = { maxBytes: maxFileBytes(visit.site), maxFiles }
  return withUpload(
    visit,
    purpose,
    async ({ fields, files }) => {
      const about = { folder: fields.get('folder').trim(), ...(fields.has('protected') && { protected: true }) }
      const failures: { readonly filename: string; readonly failure: Failure }[] = []
      for (const { id, filename } of files) {
        const { failure } = await run(visit, media.upload, { upload_id: id, filename, ...about })
        if (failure) failures.push({ filename, failure })
      }
      const failed = failures.map(({ filename, failure }) => `${filename}: ${sentenceOf(failure, visit.t)}`)
      return answer({ count: files.length, failed, first: failures[0]?.failure, fields })
    },
    limits,
  )
}

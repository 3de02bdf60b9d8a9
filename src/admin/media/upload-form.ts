// Upload of files to the media library: the form, and what takes it. With script, the files go up one after another and show their progress.

import { media } from '../../actions/classes/svc-media/index.ts'
import { maxFileBytes } from '../../actions/classes/svc-media/arrival.ts'
import { html, type Html } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import type { Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { notYours, run } from '../page.ts'
import { withUpload } from '../operations/upload.ts'
import { donePath, goDone } from '../parts/done-notice.ts'
import { checkField, fileField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { dataReply } from '../reply.ts'
import type { SignedIn } from '../visit.ts'
import { libraryReply } from './library-page.ts'

const purpose = 'upload-media'
/** So many files may come with one form. */
export const maxFiles = 20

/** The form for an upload that came back. */
export interface RefusedUpload {
  readonly fault: string
  readonly fields: Fields
}

export function uploadForm(visit: SignedIn, refused?: RefusedUpload): Html {
  const { t } = visit
  const mib = maxFileBytes(visit.site) / 1024 ** 2
  const folder = listAddress(visit.request, adminPaths.media).get('folder')
  return html`<section class="panel" aria-labelledby="upload">
    <h2 id="upload">${t('media.upload_title')}</h2>
    ${postForm(visit, {
      path: adminPaths.uploadMedia,
      purpose,
      multipart: true,
      className: 'upload',
      body: html`${fileField({
          name: 'files',
          label: t('media.files'),
          help: t('media.files_help', { number: maxFiles, mib }),
          multiple: true,
          required: true,
          fault: refused?.fault,
        })}
        <details>
          <summary>${t('media.about_folder')}</summary>
          ${textField({ name: 'folder', label: t('media.folder'), value: refused?.fields.get('folder') ?? (folder === '/' ? '' : folder), placeholder: 'team/2026' })}
          ${checkField({ name: 'protected', label: t('media.protected'), value: refused?.fields.get('protected'), help: t('media.protected_upload_help') })}
        </details>
        <p class="actions"><button class="primary">${t('media.upload')}</button></p>`,
    })}
    <p
      class="unseen"
      id="upload-list"
      data-send="${linkTo(visit.request, adminPaths.uploadMediaFile)}"
      data-done="${linkTo(visit.request, donePath(adminPaths.media, 'media.done_uploaded'))}"
    ></p>
  </section>`
}

/** POST */
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

/** How the files of a form were stored. */
interface Stored {
  readonly count: number
  /** A sentence for each file that was refused, with its name. */
  readonly failed: readonly string[]
  /** The first failure. */
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

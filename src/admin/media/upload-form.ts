// The form for uploads to the media library. With script, the files are uploaded one by one and show their progress.
// `take-upload.ts` takes them.

import { maxFileBytes } from '../../actions/media/arrival.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Fields } from '../form.ts'
import { donePath } from '../parts/done-notice.ts'
import { checkField, fileField, textField } from '../parts/fields.ts'
import { listAddress } from '../parts/list-address.ts'
import { postForm } from '../parts/post-form.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'

/** The purpose of the form, in its token. */
export const purpose = 'upload-media'
/** The most files in one form. */
export const maxFiles = 20

/** The state after a refused upload. */
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

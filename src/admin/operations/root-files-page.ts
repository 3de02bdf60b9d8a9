// Root files: the list, one form that writes a file from typed text or from a file of the person, and the deletion of each.

import { readFile } from 'node:fs/promises'
import { siteActions } from '../../actions/site/index.ts'
import type { RootFileItem } from '../../actions/site/root-file.ts'
import { Failure, invalid } from '../../base/failure.ts'
import { maxRootFileBytes } from '../../content/root-files/root-files.ts'
import type { UploadedFile } from '../../doors/shared/read-upload.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { findIncoming } from '../../media/incoming.ts'
import { confirmPassword, passwordAgain, proofFault, provenTaker } from '../access/confirm-password.ts'
import type { Fields } from '../form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, run } from '../page.ts'
import { controlsOf, declareForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { fileField } from '../parts/fields.ts'
import { doing } from '../parts/form-input.ts'
import { postForm, sinceShown } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { withUpload } from './upload.ts'

const form = declareForm(siteActions.putFile, { path: adminPaths.rootFiles, button: 'operations.save_root_file' }, [
  { name: 'name', label: 'operations.root_file_name', help: 'operations.root_file_name_help', placeholder: 'ads.txt' },
  { name: 'text', control: 'code', label: 'operations.root_file_text', rows: 10 },
])

/** GET; `edit` names the file to change. */
export async function showRootFiles(visit: SignedIn): Promise<Reply> {
  const name = visit.request.query.get('edit')
  return rootFilesReply(visit, {}, name === null ? undefined : (await get(visit, siteActions.files, { name })).items[0])
}

async function rootFilesReply(visit: SignedIn, refused: Refused = {}, edited?: RootFileItem): Promise<Reply> {
  const { t } = visit
  const { items } = await get(visit, siteActions.files, {})
  const body = html`${pageHead(t('operations.root_files'), t('operations.root_files_lead'))}
  ${items.length === 0 && emptyState(t('operations.no_root_file'), t('operations.no_root_file_help'))}
  ${
    items.length > 0 &&
    html`<ul class="things">
      ${items.map((file) => fileItem(visit, file, refused))}
    </ul>`
  }
  ${mayRun(visit, siteActions.putFile) && fileForm(visit, refused, edited)}`
  return framedReply(visit, { title: t('operations.root_files'), body }, refused)
}

function fileItem(visit: SignedIn, { name, url, bytes, updated_at: at }: RootFileItem, refused: Refused): Html {
  const { request, t } = visit
  const isOpen = refused.proofOf === name
  return html`<li class="card">
    <h2><a href="${url}">/${name}</a></h2>
    <p class="quiet">${t.rich('operations.root_file_facts', { count: bytes, at: shownTime(visit, at) })}</p>
    <p class="actions">
      <a
        class="button"
        href="${linkTo(request, adminPaths.rootFiles)}?edit=${encodeURIComponent(name)}#form"
        aria-label="${t('operations.change_root_file', { name })}"
        >${t('connections.edit')}</a
      >
    </p>
    ${removalForm(visit, {
      verb: t('operations.delete'),
      button: t('operations.delete_root_file', { name }),
      id: name,
      name,
      consequence: t('operations.delete_root_file_help'),
      path: adminPaths.deleteRootFile,
      more: passwordAgain(visit, proofFault(visit, refused, adminPaths.deleteRootFile, name)),
      isOpen,
    })}
  </li>`
}

function fileForm(visit: SignedIn, refused: Refused, edited: RootFileItem | undefined): Html {
  const { t } = visit
  const { fields } = refused
  const name = fields?.has('revision') ? fields.get('name') : edited?.name
  const known = name === undefined ? {} : { name, revision: fields?.get('revision') ?? edited?.revision }
  return html`<section class="card" id="form" aria-labelledby="write">
    <h2 id="write">${name === undefined ? t('operations.new_root_file') : t('operations.change_root_file', { name })}</h2>
    ${postForm(visit, {
      path: adminPaths.rootFiles,
      multipart: true,
      hidden: known,
      body: html`${controlsOf(t, form, { item: edited, refused, without: Object.keys(known) })}
        ${fileField({ name: 'file', label: t('operations.root_file_file'), help: t('operations.root_file_file_help') })}
        ${passwordAgain(visit, proofFault(visit, refused, adminPaths.rootFiles))}
        <p class="actions"><button class="primary">${t(form.button)}</button></p>`,
    })}
  </section>`
}

/** POST: writes the text, or the content of the chosen file. */
export function saveRootFile(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, siteActions.putFile)) throw notYours(visit)
  const limits = { maxBytes: 16 * maxRootFileBytes }
  return withUpload(
    visit,
    adminPaths.rootFiles,
    async ({ fields, files: [file] }) => {
      const refused = await confirmPassword(visit, fields)
      if (refused) return rootFilesReply(visit, { ...refused, fields })
      const input = await inputOf(visit, fields, file)
      const { failure } = input instanceof Failure ? { failure: input } : await run(visit, form.action, input, sinceShown(fields))
      return failure ? rootFilesReply(visit, { failure, fields }) : goDone(visit, adminPaths.rootFiles, siteActions.putFile)
    },
    limits,
  )
}

async function inputOf(visit: SignedIn, fields: Fields, file: UploadedFile | undefined) {
  const name = fields.get('name').trim() || (file?.filename ?? '')
  if (file === undefined) return { name, text: fields.get('text') }
  const path = await findIncoming(visit.site.config.POSTERN_HOME, file.id, visit.now)
  const bytes = path === undefined ? undefined : await readFile(path)
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return invalid('text', visit.t('operations.root_file_no_text'), 'text in UTF-8')
  }
}

export const deleteRootFile = provenTaker(
  adminPaths.deleteRootFile,
  doing(
    siteActions.removeFile,
    (fields) => ({ name: fields.get('id') }),
    (visit) => goDone(visit, adminPaths.rootFiles, siteActions.removeFile),
  ),
  rootFilesReply,
)

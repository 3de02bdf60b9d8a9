// Root files: the list, a form that writes a file, one that takes a file of the person, and the deletion of each.

import { readFile } from 'node:fs/promises'
import { siteActions } from '../../actions/site/index.ts'
import type { RootFileItem } from '../../actions/site/root-file.ts'
import { invalid } from '../../base/failure.ts'
import { maxRootFileBytes } from '../../content/root-files/root-files.ts'
import type { UploadedFile } from '../../doors/shared/read-upload.ts'
import { html, type Html } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { findIncoming } from '../../media/incoming.ts'
import { confirmPassword, passwordAgain, proofFault, provenTaker } from '../access/confirm-password.ts'
import { framedReply, type Refused } from '../framed-reply.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, run } from '../page.ts'
import { declareForm, declaredForm } from '../parts/declared-form.ts'
import { goDone } from '../parts/done-notice.ts'
import { fileField } from '../parts/fields.ts'
import { doing, taking } from '../parts/form-input.ts'
import { panel } from '../parts/panel.ts'
import { postForm } from '../parts/post-form.ts'
import { removalForm } from '../parts/removal-form.ts'
import { emptyState, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import type { SignedIn } from '../visit.ts'
import { type Upload, withUpload } from './upload.ts'

const form = declareForm(siteActions.putFile, { path: adminPaths.rootFiles, button: 'operations.save_root_file' }, [
  {
    name: 'name',
    label: 'operations.root_file_name',
    help: 'operations.root_file_name_help',
    placeholder: 'ads.txt',
    required: true,
  },
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
  ${mayRun(visit, siteActions.putFile) && html`${fileForm(visit, refused, edited)}${uploadPanel(visit, refused)}`}`
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
        aria-label="${t('connections.edit_named', { name })}"
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
    ${declaredForm(visit, form, {
      item: edited,
      refused,
      hidden: known,
      without: Object.keys(known),
      last: passwordAgain(visit, proofFault(visit, refused, adminPaths.rootFiles)),
    })}
  </section>`
}

const uploadPanel = (visit: SignedIn, refused: Refused): Html =>
  panel(
    'upload',
    visit.t('operations.root_file_file'),
    postForm(visit, {
      path: adminPaths.uploadRootFile,
      multipart: true,
      body: html`${fileField({
          name: 'file',
          label: visit.t('operations.root_file_chosen'),
          help: visit.t('operations.root_file_file_help'),
          accept: '.txt,.xml,.json,.html',
          required: true,
        })}
        ${passwordAgain(visit, proofFault(visit, refused, adminPaths.uploadRootFile))}
        <p class="actions"><button>${visit.t('operations.add_root_file')}</button></p>`,
    }),
    'card',
  )

export const saveRootFile = provenTaker(
  adminPaths.rootFiles,
  taking(form, (visit) => goDone(visit, adminPaths.rootFiles, siteActions.putFile)),
  rootFilesReply,
)

/** POST: writes the content of the chosen file under its name. */
export function uploadRootFile(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, siteActions.putFile)) throw notYours(visit)
  const work = async ({ fields, files: [file] }: Upload): Promise<Reply> => {
    const refused = await confirmPassword(visit, fields)
    if (refused) return rootFilesReply(visit, { ...refused, fields })
    const text = file && (await textOf(visit, file))
    if (file === undefined || text === undefined)
      return rootFilesReply(visit, { failure: invalid('file', visit.t('operations.root_file_no_text'), 'text in UTF-8'), fields })
    const { failure } = await run(visit, siteActions.putFile, { name: file.filename, text })
    return failure ? rootFilesReply(visit, { failure, fields }) : goDone(visit, adminPaths.rootFiles, siteActions.putFile)
  }
  return withUpload(visit, adminPaths.uploadRootFile, work, { maxBytes: 16 * maxRootFileBytes })
}

/** The text of a file; undefined if it is not in UTF-8. */
async function textOf({ site, now }: SignedIn, { id }: UploadedFile): Promise<string | undefined> {
  const path = await findIncoming(site.config.POSTERN_HOME, id, now)
  if (path === undefined) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
  } catch {
    return undefined
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

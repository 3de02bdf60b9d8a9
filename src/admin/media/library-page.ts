// The media library: files as pictures or as a table, with search, folders, filters and bulk actions.

import { media } from '../../actions/media/index.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import { sentenceOf } from '../failure.ts'
import { csrfField, numberIn } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { faultBox } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, postForm, type Work } from '../parts/post-form.ts'
import { emptyState, firstBox, linkButton, pageHead, selectBox, selectionBar, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { uploadScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { fileLink, kindInWords, lacksAlt, type ShownFile, shownFields, sizeInWords, thumbnail } from './media-view.ts'
import { libraryFilters } from './library-filters.ts'
import { type RefusedUpload, uploadForm } from './upload-form.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

/** The number of files on a page. */
const pageSize = 24
const form = 'selected'

/** The state of the page after a refused form, or with a question. */
export interface LibraryView extends Refused {
  /** The refused upload. */
  readonly refused?: RefusedUpload
  /** The ids of the selected files. */
  readonly chosen?: readonly string[]
  /** A question before the selected files are changed. */
  readonly question?: Html
}

/** GET; `view`, `folder`, `kind`, `alt`, `trash`, `search`, `sort` and `cursor` choose what is shown. */
export const showLibrary = (visit: SignedIn): Promise<Reply> => libraryReply(visit)

export async function libraryReply(
  visit: SignedIn,
  { failure, fault, question, chosen, refused, ...unproven }: LibraryView = {},
): Promise<Reply> {
  const { t } = visit
  const address = listAddress(visit.request, adminPaths.media)
  const inTrash = address.get('trash') === 'yes'
  const asked = queryOf(address, inTrash)
  const { items, next_cursor: next, total, folders = [] } = await get(visit, media.list, asked, { select: shownFields })
  const isFiltered = ['folder', 'kind', 'alt', 'search'].some((name) => address.get(name) !== undefined)
  const toBoxes = chosen?.length === 0 && items.some(isRow) ? { id: firstBox, label: t('parts.table_select') } : undefined
  const body = html`${pageHead(t('media.media'), total === undefined ? '' : t(inTrash ? 'media.count_trash' : 'media.count', { count: total }))}
  ${faultBox(fault ?? (failure && sentenceOf(failure, t)), toBoxes)} ${question}
  ${!inTrash && mayRun(visit, media.upload) && uploadForm(visit, refused)}
  ${tabs(t('media.media'), [
    {
      label: t('media.tab_pictures'),
      href: address.with({ view: undefined, trash: undefined }),
      current: !inTrash && !isTable(address),
    },
    {
      label: t('media.tab_table'),
      href: address.with({ view: 'table', trash: undefined }),
      current: !inTrash && isTable(address),
    },
    { label: t('media.tab_trash'), href: address.with({ trash: 'yes', view: 'table' }), current: inTrash },
  ])}
  ${libraryFilters(visit, address, folders)}
  ${
    items.length === 0
      ? nothing(visit, inTrash, isFiltered)
      : html`${isTable(address) || inTrash ? asTable(visit, address, items, chosen) : asPictures(visit, items, chosen)}
        ${selectedForm(visit, address, inTrash)}`
  }
  ${pagerOf(address.with({}), next, t)}`
  return framedReply(visit, { title: t('media.media'), body, script: uploadScript }, { ...unproven, failure })
}

const isTable = (address: ListAddress): boolean => address.get('view') === 'table'

function queryOf(address: ListAddress, inTrash: boolean) {
  const [folder, kind, search, cursor] = ['folder', 'kind', 'search', 'cursor'].map((name) => address.get(name))
  const where = {
    ...(folder !== undefined && { folder: folder === '/' ? '' : folder }),
    // In ASCII, `0` follows the slash.
    ...(kind !== undefined && { kind: { gte: `${kind}/`, lt: `${kind}0` } }),
    ...(address.get('alt') === 'none' && { kind: { gte: 'image/', lt: 'image0' }, alt: { exists: false } }),
    ...(inTrash && { deleted_at: { exists: true } }),
  }
  const sort = address.get('sort')
  return {
    where,
    limit: pageSize,
    count: true,
    folders: true,
    ...(search && { search }),
    ...(sort && { sort }),
    ...(cursor && { cursor }),
  }
}

function nothing(visit: SignedIn, inTrash: boolean, isFiltered: boolean): Html {
  const { t } = visit
  if (isFiltered)
    return emptyState(
      t('media.empty_filtered'),
      t('media.empty_filtered_text'),
      linkButton(visit, adminPaths.media, 'media.show_all'),
    )
  if (inTrash) return emptyState(t('media.empty_trash'), t('media.empty_trash_text'))
  return emptyState(t('media.empty'), t('media.empty_text'))
}

/** Returns true for files that can be selected. Files in `uploads/protected/` have no revision, so they can't. */
const isRow = ({ path }: ShownFile): boolean => typeof path === 'string'

const notes = ({ t }: SignedIn, file: ShownFile): HtmlValue => [
  lacksAlt(file) && html` <span class="badge warn">${t('media.alt_none_badge')}</span>`,
  file.protected && html` <span class="badge">${t('media.protected')}</span>`,
]

const asPictures = (visit: SignedIn, items: readonly ShownFile[], chosen: readonly string[] | undefined): Html =>
  html`<ul class="pictures">
    ${items.map(
      (file) =>
        html`<li>
          <a href="${fileLink(visit, file.id)}">${thumbnail(visit.t, file, 300)}<span class="name">${file.filename}</span></a>
          <small>${kindInWords(visit.t, file.kind)}, ${sizeInWords(visit.t, file.bytes)}${notes(visit, file)}</small>
          ${isRow(file) && html`<span class="box">${pictureBox(visit, items, file, chosen)}</span>`}
        </li>`,
    )}
  </ul>`

function pictureBox(visit: SignedIn, items: readonly ShownFile[], file: ShownFile, chosen: readonly string[] | undefined): Html {
  const label = visit.t('media.select', { name: file.filename })
  return selectBox({ form, id: file.id, label, place: items.filter(isRow).indexOf(file), chosen })
}

const asTable = (
  visit: SignedIn,
  address: ListAddress,
  items: readonly ShownFile[],
  chosen: readonly string[] | undefined,
): Html =>
  table<ShownFile>(visit.t, {
    caption: visit.t('media.files_caption'),
    query: address,
    sort: '-created_at',
    rows: items,
    select: { form, id: ({ id }) => id, name: ({ filename }) => filename, chosen },
    columns: [
      {
        label: visit.t('media.name'),
        sort: 'filename',
        cell: (file) => html`<a href="${fileLink(visit, file.id)}">${file.filename}</a>${notes(visit, file)}`,
      },
      { label: visit.t('media.folder'), cell: ({ folder }) => folder ?? '', wideOnly: true },
      { label: visit.t('media.kind'), cell: ({ kind }) => kindInWords(visit.t, kind), wideOnly: true },
      { label: visit.t('media.used_by'), cell: ({ used }) => used ?? '', end: true },
      { label: visit.t('media.size'), sort: 'bytes', cell: ({ bytes }) => sizeInWords(visit.t, bytes), end: true },
      {
        label: visit.t('media.added'),
        sort: 'created_at',
        cell: ({ created_at: at }) => at !== undefined && shownTime(visit, at),
        wideOnly: true,
        end: true,
      },
    ],
  })

function selectedForm(visit: SignedIn, address: ListAddress, inTrash: boolean): HtmlValue {
  const { t } = visit
  const buttons = inTrash
    ? [
        mayRun(visit, media.restore) && html`<button name="do" value="restore">${t('media.restore')}</button>`,
        mayRun(visit, media.purge) &&
          html`<button class="danger" name="do" value="purge">${t('media.destroy_selected')}</button>`,
      ]
    : [mayRun(visit, media.delete) && html`<button class="danger" name="do" value="trash">${t('media.trash_selected')}</button>`]
  const here = address.with({}).slice(visit.request.basePath.length)
  return (
    buttons.some(Boolean) &&
    selectionBar(
      form,
      linkTo(visit.request, here),
      html`${csrfField(visit, 'media')}<strong>${t('media.selected')}</strong> ${buttons}`,
    )
  )
}

/** POST: the bulk actions. */
export const takeLibraryForm = formTaker('media', {
  trash: (visit, fields) => trashFiles(visit, fields),
  restore: (visit, fields) => restoreFiles(visit, fields),
  purge: (visit, fields) => purgeFiles(visit, fields),
})

const nothingSelected = (visit: SignedIn): Promise<Reply> =>
  libraryReply(visit, { fault: visit.t('media.select_first'), chosen: [], status: 422 })

const back = (visit: SignedIn, done: Done): Reply =>
  goDone(visit, listAddress(visit.request, adminPaths.media).with({}).slice(visit.request.basePath.length), done)

const trashFiles: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return nothingSelected(visit)
  const force = fields.get('force') === 'yes'
  const { failure } = await run(visit, media.delete, { ids, ...(force && { force }) })
  if (!failure) return back(visit, 'media.done_trashed_selected')
  return libraryReply(
    visit,
    failure.code === 'in_use' ? { failure, question: trashAnyway(visit, ids) } : { failure, chosen: ids },
  )
}

const trashAnyway = (visit: SignedIn, ids: readonly string[]): Html =>
  question(visit, ids, 'trash', {
    title: visit.t('media.trash_anyway_question', { count: ids.length }),
    text: visit.t('media.trash_anyway_text'),
    button: visit.t('media.trash_anyway', { count: ids.length }),
    hidden: { force: 'yes' },
  })

const restoreFiles: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return nothingSelected(visit)
  const { failure } = await run(visit, media.restore, { ids })
  return failure ? libraryReply(visit, { failure, chosen: ids }) : back(visit, 'media.done_restored')
}

/** The first press asks, with the number of files. The second one deletes them permanently. */
const purgeFiles: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return nothingSelected(visit)
  if (!fields.has('expect')) return libraryReply(visit, { question: destroyQuestion(visit, ids) })
  const refused = await confirmPassword(visit, fields)
  if (refused) return libraryReply(visit, { ...refused, question: destroyQuestion(visit, ids, refused.passwordFault) })
  const { failure } = await run(visit, media.purge, { ids, expect: numberIn(fields.get('expect')) })
  return failure ? libraryReply(visit, { failure }) : back(visit, media.purge)
}

const destroyQuestion = (visit: SignedIn, ids: readonly string[], passwordFault?: string): Html =>
  question(visit, ids, 'purge', {
    title: visit.t('media.destroy_question', { count: ids.length }),
    text: visit.t('media.destroy_text'),
    button: visit.t('media.destroy_button', { count: ids.length }),
    hidden: { expect: ids.length },
    proof: passwordAgain(visit, passwordFault),
  })

interface Question {
  readonly title: string
  readonly text: string
  readonly button: string
  readonly hidden: Readonly<Record<string, string | number>>
  /** The field for the password, if the action needs it. */
  readonly proof?: HtmlValue
}

function question(visit: SignedIn, ids: readonly string[], work: string, { title, text, button, hidden, proof }: Question): Html {
  const { request } = visit
  const path = listAddress(request, adminPaths.media).with({}).slice(request.basePath.length)
  return html`<section class="panel attention" aria-labelledby="question">
    <h2 id="question">${title}</h2>
    <p>${text}</p>
    ${postForm(visit, {
      path,
      purpose: 'media',
      hidden: { do: work, ...hidden },
      body: html`${ids.map((id) => html`<input type="hidden" name="ids" value="${id}" />`)} ${proof}
        <p class="actions">
          <button class="danger">${button}</button>
          <a class="button" href="${linkTo(request, path)}">${visit.t('media.keep', { count: ids.length })}</a>
        </p>`,
    })}
  </section>`
}

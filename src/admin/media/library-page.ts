// The media library: files as pictures or as a table, with search, folders and filters, and what can be done with several at once.

import { list as mediaList } from '../../actions/classes/svc-media/reading.ts'
import { purge, remove, restore } from '../../actions/classes/svc-media/trash.ts'
import { upload } from '../../actions/classes/svc-media/upload.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { csrfField } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, run } from '../page.ts'
import { doneBox, faultBox } from '../parts/fields.ts'
import { type ListAddress, listAddress } from '../parts/list-address.ts'
import { pagerOf } from '../parts/pager.ts'
import { formTaker, hiddenFields, postForm, type Work } from '../parts/post-form.ts'
import { counted, emptyState, pageHead, selectionBar, table, tabs } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { uploadScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import {
  fileLink,
  kindChoices,
  kindInWords,
  lacksAlt,
  type ShownFile,
  shownFields,
  sizeInWords,
  thumbnail,
} from './media-view.ts'
import { uploadForm } from './upload-form.ts'

const doneWords: Readonly<Record<string, string>> = {
  uploaded: 'Uploaded.',
  trashed: 'Put into the trash. Restore brings it back.',
  restored: 'Restored, at the same address.',
  destroyed: 'Destroyed.',
}

/** How many files a page shows. */
const pageSize = 24
const form = 'selected'

/** How the page is shown after a form that failed, or that asks once more. */
export interface LibraryView {
  readonly failure?: Failure
  /** What failed, where it is not the failure's own sentence. */
  readonly fault?: string
  /** A question before the selected files are changed. */
  readonly question?: Html
}

/** GET; `view`, `folder`, `kind`, `alt`, `trash`, `search`, `sort` and `cursor` choose what is shown. */
export const showLibrary = (visit: SignedIn): Promise<Reply> => libraryReply(visit)

export async function libraryReply(visit: SignedIn, { failure, fault, question }: LibraryView = {}): Promise<Reply> {
  const address = listAddress(visit.request, adminPaths.media)
  const inTrash = address.get('trash') === 'yes'
  const asked = queryOf(address, inTrash)
  const { items, next_cursor: next, total, folders = [] } = await get(visit, mediaList, asked, { select: shownFields })
  const isFiltered = ['folder', 'kind', 'alt', 'search'].some((name) => address.get(name) !== undefined)
  const body = html`${pageHead('Media', total === undefined ? '' : `${counted(total, 'file')}${inTrash ? ' in the trash' : ''}.`)}
  ${doneBox(doneWords[visit.request.query.get('done') ?? ''])} ${faultBox(fault ?? (failure && sentenceOf(failure)))} ${question}
  ${!inTrash && mayRun(visit, upload) && uploadForm(visit)}
  ${tabs('Media', [
    { label: 'Pictures', href: address.with({ view: undefined, trash: undefined }), current: !inTrash && !isTable(address) },
    { label: 'Table', href: address.with({ view: 'table', trash: undefined }), current: !inTrash && isTable(address) },
    { label: 'Trash', href: address.with({ trash: 'yes', view: 'table' }), current: inTrash },
  ])}
  ${filters(visit, address, folders)}
  ${
    items.length === 0
      ? nothing(visit, inTrash, isFiltered)
      : html`${isTable(address) || inTrash ? asTable(visit, address, items) : asPictures(visit, items)}
        ${selectedForm(visit, address, inTrash)}`
  }
  ${pagerOf(address.with({}), next)}`
  const status = failure ? formStatus[failure.code] : 200
  return pageReply(visit, status, framed(visit, { title: 'Media', body, script: uploadScript }))
}

const isTable = (address: ListAddress): boolean => address.get('view') === 'table'

function queryOf(address: ListAddress, inTrash: boolean) {
  const [folder, kind, search, cursor] = ['folder', 'kind', 'search', 'cursor'].map((name) => address.get(name))
  const where = {
    ...(folder !== undefined && { folder: folder === '/' ? '' : folder }),
    // `0` follows the slash in ASCII.
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

function filters(visit: SignedIn, address: ListAddress, folders: readonly string[]): Html {
  const { request } = visit
  const kept = Object.fromEntries(['view', 'trash', 'sort'].map((name) => [name, address.get(name)]))
  const chosen = (name: string, choices: readonly { readonly value: string; readonly label: string }[], label: string) =>
    html`<label
      ><span class="unseen">${label}</span
      ><select name="${name}">
        ${choices.map(
          ({ value, label: text }) =>
            html`<option value="${value}" ${(address.get(name) ?? '') === value ? html`selected` : ''}>${text}</option>`,
        )}
      </select></label
    >`
  return html`<form class="filters" role="search" aria-label="Search media" action="${linkTo(request, adminPaths.media)}">
    ${hiddenFields(kept)}
    <label
      ><span class="unseen">Search media</span
      ><input type="search" name="search" value="${address.get('search') ?? ''}" placeholder="Search media" maxlength="200"
    /></label>
    ${chosen('kind', kindChoices, 'Kind')}
    ${chosen('folder', [{ value: '', label: 'All folders' }, { value: '/', label: 'No folder' }, ...folders.map((name) => ({ value: name, label: name }))], 'Folder')}
    ${chosen(
      'alt',
      [
        { value: '', label: 'Any description' },
        { value: 'none', label: 'Without alternative text' },
      ],
      'Alternative text',
    )}
    <button>Show</button>
  </form>`
}

function nothing(visit: SignedIn, inTrash: boolean, isFiltered: boolean): Html {
  if (isFiltered)
    return emptyState(
      'No file is like that',
      'Choose another folder or kind, or fewer words.',
      html`<a class="button" href="${linkTo(visit.request, adminPaths.media)}">Show all files</a>`,
    )
  if (inTrash) return emptyState('The trash is empty', 'Files that you put into the trash wait here until you destroy them.')
  return emptyState(
    'No file yet',
    'Choose files above, or drop them onto this page. Assistants and scripts can upload files too.',
  )
}

/** Files that lie in `uploads/protected/` have no revision and can't be selected. */
const isRow = ({ path }: ShownFile): boolean => typeof path === 'string'

const notes = (file: ShownFile): HtmlValue => [
  lacksAlt(file) && html` <span class="badge warn">No alternative text</span>`,
  file.protected && html` <span class="badge">Protected</span>`,
]

const asPictures = (visit: SignedIn, items: readonly ShownFile[]): Html =>
  html`<ul class="pictures">
    ${items.map(
      (file) =>
        html`<li>
          <a href="${fileLink(visit, file.id)}">${thumbnail(file, 300)}<span class="name">${file.filename}</span></a>
          <small>${kindInWords(file.kind)}, ${sizeInWords(file.bytes)}${notes(file)}</small>
          ${isRow(file) && html`<span class="box">${selectBox(file)}</span>`}
        </li>`,
    )}
  </ul>`

const selectBox = ({ id, filename }: ShownFile): Html =>
  html`<label
    ><input type="checkbox" name="ids" value="${id}" form="${form}" /><span class="unseen">Select ${filename}</span></label
  >`

const asTable = (visit: SignedIn, address: ListAddress, items: readonly ShownFile[]): Html =>
  table<ShownFile>({
    caption: 'Files',
    query: address,
    sort: '-created_at',
    rows: items,
    select: { form, id: ({ id }) => id, name: ({ filename }) => filename },
    columns: [
      {
        label: 'Name',
        sort: 'filename',
        cell: (file) => html`<a href="${fileLink(visit, file.id)}">${file.filename}</a>${notes(file)}`,
      },
      { label: 'Folder', cell: ({ folder }) => folder ?? '', wideOnly: true },
      { label: 'Kind', cell: ({ kind }) => kindInWords(kind), wideOnly: true },
      { label: 'Used by', cell: ({ used }) => used ?? '', end: true },
      { label: 'Size', sort: 'bytes', cell: ({ bytes }) => sizeInWords(bytes), end: true },
      {
        label: 'Added',
        sort: 'created_at',
        cell: ({ created_at: at }) => at !== undefined && shownTime(visit, at),
        wideOnly: true,
        end: true,
      },
    ],
  })

function selectedForm(visit: SignedIn, address: ListAddress, inTrash: boolean): HtmlValue {
  const buttons = inTrash
    ? [
        mayRun(visit, restore) && html`<button name="do" value="restore">Restore</button>`,
        mayRun(visit, purge) && html`<button class="danger" name="do" value="purge">Destroy…</button>`,
      ]
    : [mayRun(visit, remove) && html`<button class="danger" name="do" value="trash">Put into the trash</button>`]
  const here = address.with({}).slice(visit.request.basePath.length)
  return (
    buttons.some(Boolean) &&
    selectionBar(form, linkTo(visit.request, here), html`${csrfField(visit, 'media')}<strong>Selected files:</strong> ${buttons}`)
  )
}

/** POST: what is done with the selected files. */
export const takeLibraryForm = formTaker('media', {
  trash: (visit, fields) => trashFiles(visit, fields),
  restore: (visit, fields) => restoreFiles(visit, fields),
  purge: (visit, fields) => purgeFiles(visit, fields),
})

const nothingSelected = (visit: SignedIn): Promise<Reply> => libraryReply(visit, { fault: 'Select at least one file first.' })

const back = (visit: SignedIn, done: string): Reply =>
  goTo(visit, listAddress(visit.request, adminPaths.media).with({ done }).slice(visit.request.basePath.length))

const trashFiles: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return nothingSelected(visit)
  const force = fields.get('force') === 'yes'
  const { failure } = await run(visit, remove, { ids, ...(force && { force }) })
  if (!failure) return back(visit, 'trashed')
  return libraryReply(visit, failure.code === 'in_use' ? { failure, question: trashAnyway(visit, ids) } : { failure })
}

const trashAnyway = (visit: SignedIn, ids: readonly string[]): Html =>
  question(visit, ids, 'trash', `Put ${counted(ids.length, 'file')} into the trash anyway`, {
    text: 'Pages that use them show nothing there until the files are restored.',
    hidden: { force: 'yes' },
  })

const restoreFiles: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return nothingSelected(visit)
  const { failure } = await run(visit, restore, { ids })
  return failure ? libraryReply(visit, { failure }) : back(visit, 'restored')
}

/** The first press asks, with the number of files; the second destroys them. */
const purgeFiles: Work = async (visit, fields) => {
  const ids = fields.all('ids')
  if (ids.length === 0) return nothingSelected(visit)
  if (!fields.has('expect'))
    return libraryReply(visit, {
      question: question(visit, ids, 'purge', `Destroy ${counted(ids.length, 'file')}`, {
        text: 'All sizes and earlier versions are destroyed too. This cannot be undone.',
        hidden: { expect: ids.length },
      }),
    })
  const { failure } = await run(visit, purge, { ids, expect: Number(fields.get('expect')) })
  return failure ? libraryReply(visit, { failure }) : back(visit, 'destroyed')
}

function question(
  visit: SignedIn,
  ids: readonly string[],
  work: string,
  button: string,
  { text, hidden }: { readonly text: string; readonly hidden: Readonly<Record<string, string | number>> },
): Html {
  const { request } = visit
  const path = listAddress(request, adminPaths.media).with({}).slice(request.basePath.length)
  return html`<section class="panel attention" aria-labelledby="question">
    <h2 id="question">${button}?</h2>
    <p>${text}</p>
    ${postForm(visit, {
      path,
      purpose: 'media',
      hidden: { do: work, ...hidden },
      body: html`${ids.map((id) => html`<input type="hidden" name="ids" value="${id}" />`)}
        <p class="actions">
          <button class="danger">${button}</button>
          <a class="button" href="${linkTo(request, path)}">Keep ${ids.length === 1 ? 'it' : 'them'}</a>
        </p>`,
    })}
  </section>`
}

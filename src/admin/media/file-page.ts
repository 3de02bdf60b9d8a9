// One file of the media library: what it shows, what is said about it, where it is used, and which sizes exist.

import type { MediaItem } from '../../actions/classes/svc-media/item.ts'
import { get as mediaGet } from '../../actions/classes/svc-media/reading.ts'
import { purge, remove, restore } from '../../actions/classes/svc-media/trash.ts'
import { replace, update } from '../../actions/classes/svc-media/update.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus } from '../failure.ts'
import type { Fields } from '../form.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, run } from '../page.ts'
import { withUpload } from '../operations/upload.ts'
import { maxFileBytes } from '../../actions/classes/svc-media/arrival.ts'
import { factList } from '../parts/facts.ts'
import { areaField, checkField, doneBox, faultBox, fileField, textField } from '../parts/fields.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { counted, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo, pageReply } from '../reply.ts'
import { focusScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { isImage, kindInWords, lacksAlt, sizeInWords } from './media-view.ts'

const doneWords: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  replaced: 'Replaced. The address is the same.',
  trashed: 'Put into the trash.',
  restored: 'Restored, at the same address.',
}

interface View {
  readonly failure?: Failure
  readonly fields?: Fields
}

/** GET; `id` names the file. */
export const showFile = (visit: SignedIn): Promise<Reply> => fileReply(visit, visit.request.query.get('id') ?? '')

async function fileReply(visit: SignedIn, id: string, { failure, fields }: View = {}): Promise<Reply> {
  const { item } = await get(visit, mediaGet, { id })
  const faults = faultsOf(failure, ['filename', 'folder', 'alt', 'caption', 'focus'])
  const inTrash = item.deleted_at !== undefined && item.deleted_at !== null
  const body = html`${pageHead(
      item.filename,
      factsInWords(item),
      html`<a class="button" href="${linkTo(visit.request, adminPaths.media)}">All files</a>`,
    )}
    ${doneBox(doneWords[visit.request.query.get('done') ?? ''])} ${faultBox(faults.rest)}
    ${inTrash && html`<p class="notice warn" role="note"><strong>This file is in the trash.</strong> Its address answers 404.</p>`}
    <div class="file">
      <div>${preview(item, inTrash)} ${uses(visit, item)}</div>
      <div>
        ${!inTrash && item.revision !== undefined && mayRun(visit, update) && aboutForm(visit, item, fields, faults.at)}
        ${factList(factsOf(visit, item))} ${sizes(item)} ${item.revision !== undefined && dangerous(visit, item, inTrash)}
      </div>
    </div>`
  const status = failure ? formStatus[failure.code] : 200
  return pageReply(visit, status, framed(visit, { title: item.filename, body, script: focusScript }))
}

const factsInWords = ({ kind, bytes, width, height }: MediaItem): string =>
  [kindInWords(kind), width && height ? `${width} × ${height} pixels` : undefined, sizeInWords(bytes)].filter(Boolean).join(', ')

const factsOf = (visit: SignedIn, item: MediaItem): Readonly<Record<string, HtmlValue>> => ({
  Address: item.url !== undefined && item.url !== null && html`<a href="${item.url}">${item.path ?? item.id}</a>`,
  Added: item.created_at !== undefined && shownTime(visit, item.created_at),
  Changed: shownTime(visit, item.updated_at),
  'Original file':
    item.original_url !== undefined && item.original_url !== null && html`<a href="${item.original_url}">Download</a>`,
})

function preview(item: MediaItem, inTrash: boolean): Html {
  const size = item.variants?.find(({ width }) => width >= 600) ?? item.variants?.at(-1)
  const address = size?.url ?? item.url
  if (!isImage(item) || inTrash || address === undefined || address === null)
    return html`<p class="thumb kind">${kindInWords(item.kind)}</p>`
  return html`<div class="${size ? 'picture' : 'picture vector'}" id="picture">
      <img src="${address}" alt="${item.alt ?? ''}" ${attribute('width', size?.width)} ${attribute('height', size?.height)} />
    </div>
    ${lacksAlt(item) && html`<p class="notice warn" role="note">Nobody has described this picture yet for people who can’t see it.</p>`}`
}

function uses(visit: SignedIn, { used_by: users = [], path }: MediaItem): HtmlValue {
  if (path === undefined) return undefined
  return html`<section class="panel" aria-labelledby="used">
    <h2 id="used">Where it is used</h2>
    ${
      users.length === 0
        ? html`<p class="quiet">In no entry.</p>`
        : html`<ul class="lines">
            ${users.map(
              ({ title, path: at, status }) =>
                html`<li>
                  ${at === null || status !== 'published' ? title : html`<a href="${linkTo(visit.request, at)}">${title}</a>`}
                  <small>${status}</small>
                </li>`,
            )}
          </ul>`
    }
  </section>`
}

const sizeWords: Readonly<Record<string, string>> = {
  making: 'The sizes are being made. Reload this page in a few seconds.',
  failed: 'The sizes could not be made.',
}

function sizes({ sizes: state = 'none', variants = [], problem }: MediaItem): HtmlValue {
  if (state === 'none') return undefined
  return html`<details>
    <summary>Sizes (${variants.length})</summary>
    ${sizeWords[state] && html`<p>${sizeWords[state]} ${problem}</p>`}
    <ul class="lines">
      ${variants.map(({ url, width, height, type, bytes }) => html`<li><a href="${url}">${width} × ${height}</a><small>${kindInWords(type)}, ${sizeInWords(bytes)}</small></li>`)}
    </ul>
  </details>`
}

const percent = (share: number | undefined): string => (share === undefined ? '' : String(Math.round(share * 100)))

function aboutForm(
  visit: SignedIn,
  item: MediaItem,
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html {
  const value = (name: string, stored: string | null | undefined) => fields?.get(name) ?? stored ?? ''
  const isPicture = isImage(item)
  const described = html`${areaField({ name: 'alt', label: 'Alternative text', value: value('alt', item.alt), rows: 2, help: 'What the picture shows, for people who can’t see it.', fault: fault('alt') })}
  ${checkField({ name: 'decoration', label: 'It is only decoration', help: 'Screen readers skip it.', value: (fields ? fields.has('decoration') : item.alt === '') ? 'yes' : undefined })}`
  const focus = html`<fieldset class="focus">
    <legend>Focus point</legend>
    <p class="help" id="focus-help">
      The point that stays visible when the picture is cropped, in percent from the left and from the top.
    </p>
    <div class="two">
      ${textField({ name: 'focus_x', label: 'From the left', type: 'number', min: 0, max: 100, value: value('focus_x', percent(item.focus?.x)), fault: fault('focus') })}
      ${textField({ name: 'focus_y', label: 'From the top', type: 'number', min: 0, max: 100, value: value('focus_y', percent(item.focus?.y)) })}
    </div>
  </fieldset>`
  const isPixels = isPicture && item.kind !== 'image/svg+xml'
  return postForm(visit, {
    path: adminPaths.mediaFile,
    purpose: 'media-file',
    className: 'panel',
    hidden: { do: 'save', id: item.id, revision: fields?.get('revision') ?? item.revision },
    body: html`${isPicture && described}
      ${textField({ name: 'caption', label: 'Caption', value: value('caption', item.caption), help: 'One line below the picture.', fault: fault('caption') })}
      ${isPixels && focus}
      ${textField({ name: 'filename', label: 'Filename', value: value('filename', item.filename), help: 'The old address redirects.', required: true, fault: fault('filename') })}
      ${textField({ name: 'folder', label: 'Folder', value: value('folder', item.folder), placeholder: 'team/2026', fault: fault('folder') })}
      ${checkField({ name: 'protected', label: 'Protected', help: 'The file has no public address.', value: (fields ? fields.has('protected') : item.protected) ? 'yes' : undefined })}
      <p class="actions"><button class="primary">Save</button></p>`,
  })
}

function dangerous(visit: SignedIn, item: MediaItem, inTrash: boolean): HtmlValue {
  const { id, filename, used_by: users = [] } = item
  const small = (work: string, button: Html, more?: HtmlValue) =>
    postForm(visit, { path: adminPaths.mediaFile, purpose: 'media-file', hidden: { do: work, id }, body: html`${more}${button}` })
  if (inTrash)
    return html`<div class="actions">
        ${mayRun(visit, restore) && small('restore', html`<button class="primary">Restore</button>`)}
      </div>
      ${
        mayRun(visit, purge) &&
        html`<details>
          <summary>Destroy it…</summary>
          <p>The file, its sizes and earlier versions are destroyed. This cannot be undone.</p>
          ${small('purge', html`<button class="danger">Destroy ${filename}</button>`)}
        </details>`
      }`
  const losing =
    users.length > 0
      ? html`<p>
            <strong>${counted(users.length, 'entry', 'entries')} would show nothing there:</strong>
            ${users.slice(0, 10).map(({ title }, place) => html`${place > 0 && ', '}${title}`)}${users.length > 10 && ' and others'}.
          </p>
          <input type="hidden" name="force" value="yes" />`
      : html`<p>Nothing uses it. It can be restored.</p>`
  return html`${
    mayRun(visit, replace) &&
    html`<details>
      <summary>Replace it by another file…</summary>
      ${postForm(visit, {
        path: adminPaths.replaceMedia,
        purpose: 'replace-media',
        multipart: true,
        hidden: { id },
        body: html`${fileField({ name: 'file', label: 'File', help: 'The address stays, and so does all that is said about it.', required: true })}
          <button>Replace</button>`,
      })}
    </details>`
  }
  ${
    mayRun(visit, remove) &&
    html`<details>
      <summary>Put it into the trash…</summary>
      ${small('trash', html`<button class="danger">Put ${filename} into the trash</button>`, losing)}
    </details>`
  }`
}

const here = (id: string, done: string): string => `${adminPaths.mediaFile}?id=${encodeURIComponent(id)}&done=${done}`

const save: Work = async (visit, fields) => {
  const id = fields.get('id')
  const alt = fields.has('decoration') ? '' : fields.get('alt').trim() || null
  const caption = fields.get('caption').trim() || null
  const named = { filename: fields.get('filename').trim(), folder: fields.get('folder').trim() }
  const given = { id, caption, ...named, protected: fields.has('protected'), ...focusIn(fields) }
  const { failure } = await run(visit, update, fields.has('alt') ? { ...given, alt } : given, sinceShown(fields))
  return failure ? fileReply(visit, id, { failure, fields }) : goTo(visit, here(id, 'saved'))
}

/** Two percents as the shares that the action takes; none where both fields are empty. */
function focusIn(fields: Fields) {
  if (!fields.has('focus_x')) return {}
  const [x, y] = ['focus_x', 'focus_y'].map((name) => fields.get(name).trim())
  if (!x && !y) return { focus: null }
  const share = (text = '') => (text !== '' && Number.isFinite(Number(text)) ? Number(text) / 100 : text)
  return { focus: { x: share(x), y: share(y) } }
}

const trash: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { failure } = await run(visit, remove, { ids: [id], ...(fields.get('force') === 'yes' && { force: true }) })
  return failure ? fileReply(visit, id, { failure }) : goTo(visit, here(id, 'trashed'))
}

const takeBack: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { failure } = await run(visit, restore, { ids: [id] })
  return failure ? fileReply(visit, id, { failure }) : goTo(visit, here(id, 'restored'))
}

const destroy: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { failure } = await run(visit, purge, { ids: [id], expect: 1 })
  return failure ? fileReply(visit, id, { failure }) : goTo(visit, `${adminPaths.media}?trash=yes&done=destroyed`)
}

/** POST */
export const takeFileForm = formTaker('media-file', { save, trash, restore: takeBack, purge: destroy })

/** POST */
export function takeReplacement(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, replace)) throw notYours(visit)
  return withUpload(
    visit,
    'replace-media',
    async ({ fields, files: [file] }) => {
      const id = fields.get('id')
      if (!file) return goTo(visit, `${adminPaths.mediaFile}?id=${encodeURIComponent(id)}`)
      const { failure } = await run(visit, replace, { id, upload_id: file.id })
      return failure ? fileReply(visit, id, { failure }) : goTo(visit, here(id, 'replaced'))
    },
    { maxBytes: maxFileBytes(visit.site) },
  )
}

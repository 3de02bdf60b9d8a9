// One file of the media library: its picture, its description, the places that use it, and its sizes.

import type { MediaItem } from '../../actions/media/item.ts'
import { media } from '../../actions/media/index.ts'
import { attribute, html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { confirmPassword, passwordAgain } from '../access/confirm-password.ts'
import type { Fields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { get, notYours, run } from '../page.ts'
import { withUpload } from '../operations/upload.ts'
import { maxFileBytes } from '../../actions/media/arrival.ts'
import { type Done, goDone } from '../parts/done-notice.ts'
import { factList } from '../parts/facts.ts'
import { areaField, checkField, fileField, selectField, textField } from '../parts/fields.ts'
import { lineList, panel } from '../parts/panel.ts'
import { faultsOf, formTaker, postForm, sinceShown, type Work } from '../parts/post-form.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { shownTime } from '../parts/time.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { focusScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { statusWord } from '../content/status-badges.ts'
import { pictureShapes } from '../../media/picture-recipe.ts'
import { isImage, kindInWords, lacksAlt, sizeInWords } from './media-view.ts'
import { framedReply, type Refused } from '../framed-reply.ts'

interface View extends Refused {
  /** True if the failure is about the file that should replace this one. */
  readonly isReplacement?: boolean
}

/** GET; `id` names the file. */
export const showFile = (visit: SignedIn): Promise<Reply> => fileReply(visit, visit.request.query.get('id') ?? '')

async function fileReply(visit: SignedIn, id: string, refused: View = {}): Promise<Reply> {
  const { t } = visit
  const { failure, fields, isReplacement, passwordFault } = refused
  const { item } = await get(visit, media.get, { id })
  const faults = faultsOf(t, failure, ['filename', 'folder', 'alt', 'caption', 'focus'])
  const inTrash = item.deleted_at !== undefined && item.deleted_at !== null
  const body = html`${pageHead(item.filename, factsInWords(t, item), linkButton(visit, adminPaths.media, 'media.all_files'))}
    ${inTrash && html`<p class="notice warn" role="note"><strong>${t('media.in_trash')}</strong> ${t('media.in_trash_text')}</p>`}
    <div class="file">
      <div>${preview(t, item, inTrash)} ${uses(visit, item)}</div>
      <div>
        ${!inTrash && item.revision !== undefined && mayRun(visit, media.update) && aboutForm(visit, item, fields, faults.at)}
        <div class="panel">
          ${factList(factsOf(visit, item))} ${sizes(t, item)} ${!inTrash && cropForm(visit, item)}
          ${item.revision !== undefined && dangerous(visit, item, inTrash, { passwordFault, fileFault: isReplacement ? faults.all : undefined })}
        </div>
      </div>
    </div>`
  return framedReply(visit, { title: item.filename, body, script: focusScript }, refused)
}

const factsInWords = (t: Words, { kind, bytes, width, height }: MediaItem): string =>
  [kindInWords(t, kind), width && height ? t('media.pixels', { width, height }) : undefined, sizeInWords(t, bytes)]
    .filter(Boolean)
    .join(', ')

const factsOf = (visit: SignedIn, item: MediaItem): Readonly<Record<string, HtmlValue>> => ({
  [visit.t('media.address')]:
    item.url !== undefined && item.url !== null && html`<a href="${item.url}">${item.path ?? item.id}</a>`,
  [visit.t('media.added')]: item.created_at !== undefined && shownTime(visit, item.created_at),
  [visit.t('media.changed')]: shownTime(visit, item.updated_at),
  [visit.t('media.original')]:
    item.original_url !== undefined &&
    item.original_url !== null &&
    html`<a href="${item.original_url}">${visit.t('media.download')}</a>`,
})

function preview(t: Words, item: MediaItem, inTrash: boolean): Html {
  const size = item.variants?.find(({ width }) => width >= 600) ?? item.variants?.at(-1)
  const address = size?.url ?? item.url
  if (!isImage(item) || inTrash || address === undefined || address === null)
    return html`<p class="thumb kind">${kindInWords(t, item.kind)}</p>`
  return html`<div class="${size ? 'picture' : 'picture vector'}" id="picture">
      <img src="${address}" alt="${item.alt ?? ''}" ${attribute('width', size?.width)} ${attribute('height', size?.height)} />
    </div>
    ${lacksAlt(item) && html`<p class="notice warn" role="note">${t('media.alt_missing')}</p>`}`
}

function uses(visit: SignedIn, { used_by: users = [], path }: MediaItem): HtmlValue {
  if (path === undefined) return undefined
  const lines = users.map(
    ({ title, path: at, status }) =>
      html`${at === null || status !== 'published' ? title : html`<a href="${linkTo(visit.request, at)}">${title}</a>`}
        <small>${statusWord(visit.t, status)}</small>`,
  )
  const unused = lines.length === 0 && html`<p class="quiet">${visit.t('media.unused')}</p>`
  return panel('used', visit.t('media.used_where'), unused || lineList(lines))
}

const sizeWords: Readonly<Record<string, MessageKey>> = {
  making: 'media.sizes_making',
  failed: 'media.sizes_failed',
}

function sizes(t: Words, { sizes: state = 'none', variants = [], problem }: MediaItem): HtmlValue {
  if (state === 'none') return undefined
  const words = sizeWords[state]
  return html`<details>
    <summary>${t('media.sizes', { number: variants.length })}</summary>
    ${words && html`<p>${t(words)} ${problem}</p>`}
    ${lineList(variants.map(({ url, width, height, type, bytes }) => html`<a href="${url}">${width} × ${height}</a><small>${kindInWords(t, type)}, ${sizeInWords(t, bytes)}</small>`))}
  </details>`
}

const isPixels = (item: MediaItem): boolean => isImage(item) && item.kind !== 'image/svg+xml'

/** Makes a copy of another shape, around the focus point. */
function cropForm(visit: SignedIn, item: MediaItem): HtmlValue {
  const { t } = visit
  if (!isPixels(item) || item.revision === undefined || !mayRun(visit, media.crop)) return undefined
  const choices = Object.keys(pictureShapes).map((value) => ({
    value,
    label: value === 'square' ? t('scripts.picture_shape_square') : value,
  }))
  return html`<details>
    <summary>${t('media.crop_title')}</summary>
    ${postForm(visit, {
      path: adminPaths.mediaFile,
      purpose: 'media-file',
      // A point that was chosen and not saved yet comes from the script.
      hidden: { do: 'crop', id: item.id, at_x: percent(item.focus?.x), at_y: percent(item.focus?.y) },
      body: html`${selectField({ name: 'shape', label: t('scripts.picture_shape'), help: t('media.crop_help'), choices })}
        <button>${t('media.crop')}</button>`,
    })}
  </details>`
}

const percent = (share: number | undefined): string => (share === undefined ? '' : String(Math.round(share * 100)))

function aboutForm(
  visit: SignedIn,
  item: MediaItem,
  fields: Fields | undefined,
  fault: (name: string) => string | undefined,
): Html {
  const { t } = visit
  const value = (name: string, stored: string | null | undefined) => fields?.get(name) ?? stored ?? ''
  const isPicture = isImage(item)
  const described = html`${areaField({ name: 'alt', label: t('media.alt'), value: value('alt', item.alt), rows: 2, help: t('media.alt_help'), fault: fault('alt') })}
  ${checkField({ name: 'decoration', label: t('media.decoration'), help: t('media.decoration_help'), value: (fields ? fields.has('decoration') : item.alt === '') ? 'yes' : undefined })}`
  const focus = html`<fieldset class="focus">
    <legend>${t('media.focus')}</legend>
    <p class="help" id="focus-help">${t('media.focus_help')}</p>
    <div class="two">
      ${textField({ name: 'focus_x', label: t('media.focus_x'), type: 'number', min: 0, max: 100, value: value('focus_x', percent(item.focus?.x)), fault: fault('focus') })}
      ${textField({ name: 'focus_y', label: t('media.focus_y'), type: 'number', min: 0, max: 100, value: value('focus_y', percent(item.focus?.y)) })}
    </div>
  </fieldset>`
  return postForm(visit, {
    path: adminPaths.mediaFile,
    purpose: 'media-file',
    className: 'panel',
    hidden: { do: 'save', id: item.id, revision: fields?.get('revision') ?? item.revision },
    body: html`${isPicture && described}
      ${textField({ name: 'caption', label: t('media.caption'), value: value('caption', item.caption), help: t('media.caption_help'), fault: fault('caption') })}
      ${isPixels(item) && focus}
      ${textField({ name: 'filename', label: t('media.filename'), value: value('filename', item.filename), help: t('media.filename_help'), required: true, fault: fault('filename') })}
      ${textField({ name: 'folder', label: t('media.folder'), value: value('folder', item.folder), placeholder: 'team/2026', fault: fault('folder') })}
      ${checkField({ name: 'protected', label: t('media.protected'), help: t('media.protected_help'), value: (fields ? fields.has('protected') : item.protected) ? 'yes' : undefined })}
      <p class="actions"><button class="primary">${t('media.save')}</button></p>`,
  })
}

/** The faults of the forms that change the file itself. */
interface DangerousFaults {
  readonly passwordFault: string | undefined
  readonly fileFault: string | undefined
}

function dangerous(visit: SignedIn, item: MediaItem, inTrash: boolean, { passwordFault, fileFault }: DangerousFaults): HtmlValue {
  const { t } = visit
  const { id, filename, used_by: users = [] } = item
  const small = (work: string, button: Html, more?: HtmlValue) =>
    postForm(visit, { path: adminPaths.mediaFile, purpose: 'media-file', hidden: { do: work, id }, body: html`${more}${button}` })
  if (inTrash)
    return html`<div class="actions">
        ${mayRun(visit, media.restore) && small('restore', html`<button class="primary">${t('media.restore')}</button>`)}
      </div>
      ${
        mayRun(visit, media.purge) &&
        html`<details>
          <summary>${t('media.destroy_one_title')}</summary>
          <p>${t('media.destroy_one_text')}</p>
          ${small('purge', html`<button class="danger">${t('media.destroy_one', { name: filename })}</button>`, passwordAgain(visit, passwordFault))}
        </details>`
      }`
  const titles = users
    .slice(0, 10)
    .map(({ title }) => title)
    .join(', ')
  const losing =
    users.length > 0
      ? html`<p>
            <strong>${t('media.losing', { count: users.length })}</strong>
            ${t(users.length > 10 ? 'media.losing_more' : 'media.losing_titles', { titles })}
          </p>
          <input type="hidden" name="force" value="yes" />`
      : html`<p>${t('media.trash_unused')}</p>`
  return html`${
    mayRun(visit, media.replace) &&
    html`<details ${attribute('open', fileFault === undefined ? undefined : '')}>
      <summary>${t('media.replace_title')}</summary>
      ${postForm(visit, {
        path: adminPaths.replaceMedia,
        purpose: 'replace-media',
        multipart: true,
        hidden: { id },
        body: html`${fileField({ name: 'file', label: t('media.file'), help: t('media.replace_help'), required: true, fault: fileFault })}
          <button>${t('media.replace')}</button>`,
      })}
    </details>`
  }
  ${
    mayRun(visit, media.delete) &&
    html`<details>
      <summary>${t('media.trash_one_title')}</summary>
      ${small('trash', html`<button class="danger">${t('media.trash_one', { name: filename })}</button>`, losing)}
    </details>`
  }`
}

const ended = (visit: SignedIn, id: string, done: Done): Reply =>
  goDone(visit, `${adminPaths.mediaFile}?id=${encodeURIComponent(id)}`, done)

const save: Work = async (visit, fields) => {
  const id = fields.get('id')
  const alt = fields.has('decoration') ? '' : fields.get('alt').trim() || null
  const caption = fields.get('caption').trim() || null
  const named = { filename: fields.get('filename').trim(), folder: fields.get('folder').trim() }
  const given = { id, caption, ...named, protected: fields.has('protected'), ...focusIn(fields) }
  const { failure } = await run(visit, media.update, fields.has('alt') ? { ...given, alt } : given, sinceShown(fields))
  return failure ?? ended(visit, id, media.update)
}

/** The focus point as two shares from two percentages; undefined if both fields are empty. */
function focusIn(fields: Fields) {
  if (!fields.has('focus_x')) return {}
  const [x, y] = ['focus_x', 'focus_y'].map((name) => fields.get(name).trim())
  if (!x && !y) return { focus: null }
  const share = (text = '') => (text !== '' && Number.isFinite(Number(text)) ? Number(text) / 100 : text)
  return { focus: { x: share(x), y: share(y) } }
}

const crop: Work = async (visit, fields) => {
  const at = { x: Number(fields.get('at_x')) / 100, y: Number(fields.get('at_y')) / 100 }
  const focus = fields.get('at_x') !== '' && fields.get('at_y') !== '' && { focus: at }
  const { data, failure } = await run(visit, media.crop, { id: fields.get('id'), shape: fields.get('shape'), ...focus })
  return failure ?? ended(visit, data.item.id, media.crop)
}

const trash: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { failure } = await run(visit, media.delete, { ids: [id], ...(fields.get('force') === 'yes' && { force: true }) })
  return failure ? fileReply(visit, id, { failure }) : ended(visit, id, 'media.done_trashed')
}

const restore: Work = async (visit, fields) => {
  const id = fields.get('id')
  const { failure } = await run(visit, media.restore, { ids: [id] })
  return failure ? fileReply(visit, id, { failure }) : ended(visit, id, 'media.done_restored')
}

const destroy: Work = async (visit, fields) => {
  const id = fields.get('id')
  const refused = await confirmPassword(visit, fields)
  if (refused) return fileReply(visit, id, refused)
  const { failure } = await run(visit, media.purge, { ids: [id], expect: 1 })
  return failure ? fileReply(visit, id, { failure }) : goDone(visit, `${adminPaths.media}?trash=yes`, media.purge)
}

export const takeFileForm = formTaker('media-file', { save, crop, trash, restore, purge: destroy }, (visit, refused) =>
  fileReply(visit, refused.fields.get('id'), refused),
)

export function takeReplacement(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, media.replace)) throw notYours(visit)
  return withUpload(
    visit,
    'replace-media',
    async ({ fields, files: [file] }) => {
      const id = fields.get('id')
      const failure = file
        ? (await run(visit, media.replace, { id, upload_id: file.id })).failure
        : new Failure('invalid', visit.t('media.choose_file'))
      if (failure) return fileReply(visit, id, { failure, isReplacement: true })
      const { item } = await get(visit, media.get, { id })
      return ended(visit, id, item.alt ? 'media.done_replaced_described' : 'media.done_replaced')
    },
    { maxBytes: maxFileBytes(visit.site) },
  )
}

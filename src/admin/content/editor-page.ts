// The editor of one entry: a plain form, which `scripts/editor.ts` enhances.

import { content } from '../../actions/content/index.ts'
import { usualType } from '../../content/types/entry-types.ts'
import { html, type Html, type HtmlValue } from '../../doors/shared/html.ts'
import type { Failure } from '../../base/failure.ts'
import type { Reply } from '../../http/reply.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { faultBox } from '../parts/fields.ts'
import { linkButton, pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { goTo } from '../reply.ts'
import { copyable, copyScript, editorScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { Words } from '../words.ts'
import { conflictPanel, conflictText, conflictTitle } from './conflict-panel.ts'
import { blankEntry, type EditedEntry, isLive, isNew } from './edited-entry.ts'
import { entryForm } from './entry-form.ts'
import { entryMenu } from './entry-menu.ts'
import { valuesOf } from './entry-values.ts'
import { referenceSpecs } from './form-fields.ts'
import { type Values } from './form-parts.ts'
import { findMade } from './made-entry.ts'
import { readEntry } from './read-entry.ts'
import { statusBadges } from './status-badges.ts'
import { type FoundChoices, referenceView } from './reference-field.ts'
import { authorChoices } from './author-field.ts'
import { listTermChoices } from './term-boxes.ts'
import { newEntryWords } from './type-words.ts'
import { framedReply } from '../framed-reply.ts'

/** The state after a refused form. */
export interface EditorView {
  readonly item: EditedEntry
  /** The values that were filled in. */
  readonly values?: Values
  readonly failure?: Failure
  /** The fields that differ between the form and the version that another person saved while it was open. */
  readonly conflict?: readonly string[]
  /** True if the same person has saved the other version. */
  readonly isOwn?: boolean
  readonly settles?: readonly string[]
  readonly previewUrl?: string
  /** The results of a search in a reference field. */
  readonly found?: FoundChoices | undefined
}

/** GET; `id` names the entry. */
export async function showEditor(visit: SignedIn): Promise<Reply> {
  const item = await readEntry(visit, visit.request.query.get('id') ?? '')
  return editorReply(visit, { item })
}

/**
 * GET; `type` is the type of the new entry, and `key` identifies the form that creates it. Once the entry exists, this address
 * redirects to it.
 */
export async function showNewEntry(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, content.create)) throw notYours(visit)
  const made = await findMade(visit, visit.request.query.get('key') ?? '')
  return made ? goTo(visit, `${adminPaths.editEntry}?id=${made.id}`) : editorReply(visit, { item: newEntryOf(visit) })
}

/** Returns the blank entry for the address of the page for new entries. */
export function newEntryOf({ site, request }: SignedIn): EditedEntry {
  const { current } = site.types
  const slug = request.query.get('type') ?? usualType
  const type = current.of(current.slugs.includes(slug) ? slug : usualType)
  return blankEntry(current, type, {
    ...(request.query.get('locale') ? { locale: request.query.get('locale') ?? '' } : {}),
    ...(request.query.get('translation_of') ? { translation_of: request.query.get('translation_of') ?? '' } : {}),
  })
}

export async function editorReply(visit: SignedIn, view: EditorView): Promise<Reply> {
  const { site, t } = visit
  const { item, failure, conflict = [], isOwn = false, settles = [], previewUrl, found } = view
  const type = site.types.current.of(item.type)
  const stored = valuesOf(item, type, site.settings.values.time_zone)
  const values = view.values ?? stored
  const choices = await listTermChoices(visit, item.type)
  const references = await referenceView(visit, referenceSpecs(type), values, found)
  const authors = await authorChoices(visit, item.author)
  const parts = { visit, item, type, values, failure, choices, settles, references, authors }
  const title = isNew(item) ? newEntryWords(t, type) : item.title || t('content.without_title')
  const body = html`${pageHead(title, isNew(item) ? undefined : facts(t, item), links(visit, item))}
  ${conflictBox(t, conflict, isOwn)} ${previewBox(t, previewUrl)}
  ${conflict.length > 0 && conflictPanel(t, { names: conflict, isOwn, stored, values, type })} ${waitingNotice(visit, item)}
  ${mayRun(visit, content.update) ? entryForm(parts) : undefined} ${!isNew(item) && entryMenu(visit, item)}`
  const scripts = previewUrl === undefined ? [editorScript] : [editorScript, copyScript]
  return framedReply(visit, { title, body, kind: 'full', scripts }, { failure }, { frames: true })
}

/** A conflict in the banner. Its panel explains it. */
const conflictBox = (t: Words, names: readonly string[], isOwn: boolean): HtmlValue =>
  names.length > 0 && faultBox(t(conflictText(isOwn)), { id: 'conflict', label: t(conflictTitle(isOwn)) })

const facts = (t: Words, item: EditedEntry): Html =>
  html`${statusBadges(t, item)} ${item.path !== null && html`<code>${item.path}</code>`}`

function links(visit: SignedIn, item: EditedEntry): HtmlValue {
  if (isNew(item)) return linkButton(visit, adminPaths.content, 'content.all_content')
  return html`${linkButton(visit, `${adminPaths.entryRevisions}?id=${item.id}`, 'content.revisions')}
  ${isLive(item) && item.url !== null && html`<a class="button" href="${item.url}">${visit.t('content.view')}</a>`}`
}

const previewBox = (t: Words, url: string | undefined): HtmlValue =>
  url !== undefined &&
  html`<section class="notice done" aria-label="${t('content.preview_box')}">
    <p>${t('content.preview_text')}</p>
    <p class="address">${copyable(t('content.preview_name'), url)}<a class="button" href="${url}">${t('content.open')}</a></p>
  </section>`

const waitingNotice = ({ request, t }: SignedIn, item: EditedEntry): HtmlValue =>
  item.staged &&
  html`<p class="notice warn" role="note">
    ${t.rich('content.waiting_text', {
      strong: html`<strong>${t('content.waiting_title')}</strong>`,
      link: html`<a href="${linkTo(request, adminPaths.entryRevisions)}?id=${item.id}&amp;from=live&amp;to=staged"
        >${t('content.waiting_compare')}</a
      >`,
    })}
  </p>`

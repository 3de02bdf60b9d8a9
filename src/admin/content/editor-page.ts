// The editor of one entry. It is a plain form, which `scripts/editor.ts` makes better where script runs.

import { create } from '../../actions/classes/svc-content/create.ts'
import { update } from '../../actions/classes/svc-content/update.ts'
import { usualType } from '../../content/entry-types.ts'
import { html, type Html, type HtmlValue } from '../../doors/html.ts'
import type { Failure } from '../../failure.ts'
import type { Reply } from '../../http/reply.ts'
import { formStatus, sentenceOf } from '../failure.ts'
import { framed } from '../layout.ts'
import { mayRun } from '../navigation.ts'
import { notYours } from '../page.ts'
import { doneBox, faultBox } from '../parts/fields.ts'
import { pageHead } from '../parts/table.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { pageReply } from '../reply.ts'
import { copyable, copyScript, editorScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import { conflictPanel } from './conflict-panel.ts'
import { entryForm, faultOf, isLive, isNew } from './entry-form.ts'
import { entryMenu } from './entry-menu.ts'
import { type Values, valuesOf } from './entry-values.ts'
import { blankEntry, type EditedEntry, readEntry } from './read-entry.ts'
import { statusBadges } from './status-badges.ts'
import { listTermChoices } from './term-boxes.ts'

/** What a form left that came back. */
export interface EditorView {
  readonly item: EditedEntry
  /** What was filled in. */
  readonly values?: Values
  readonly failure?: Failure
  /** The fields that differ between what was filled in and what somebody else saved meanwhile. */
  readonly conflict?: readonly string[]
  readonly settles?: readonly string[]
  readonly previewUrl?: string
}

const doneWords: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  staged: 'Saved for later. Visitors see it once it is published.',
  published: 'Published.',
  scheduled: 'Scheduled. It is published by itself at its time.',
  unpublished: 'Taken off the site. It is a draft now.',
  discarded: 'The waiting changes are dropped. They are still among the revisions.',
  reverted: 'The earlier revision is back, as a new one.',
  kept: 'The other version stays. Yours is among the revisions.',
  restored: 'Put back as a draft.',
}

/** GET; `id` names the entry. */
export async function showEditor(visit: SignedIn): Promise<Reply> {
  const item = await readEntry(visit, visit.request.query.get('id') ?? '')
  return editorReply(visit, { item })
}

/** GET; `type` says of which type the new entry is. */
export async function showNewEntry(visit: SignedIn): Promise<Reply> {
  if (!mayRun(visit, create)) throw notYours(visit)
  return editorReply(visit, { item: newEntryOf(visit) })
}

/** The blank entry that the address of the page for new ones asks for. */
export function newEntryOf({ site, request }: SignedIn): EditedEntry {
  const { current } = site.types
  const slug = request.query.get('type') ?? usualType
  const type = current.of(current.slugs.includes(slug) ? slug : usualType)
  return blankEntry(type, {
    ...(request.query.get('locale') ? { locale: request.query.get('locale') ?? '' } : {}),
    ...(request.query.get('translation_of') ? { translation_of: request.query.get('translation_of') ?? '' } : {}),
  })
}

export async function editorReply(visit: SignedIn, view: EditorView): Promise<Reply> {
  const { site, request } = visit
  const { item, failure, conflict = [], settles = [], previewUrl } = view
  const type = site.types.current.of(item.type)
  const stored = valuesOf(item, type, site.settings.values.time_zone)
  const values = view.values ?? stored
  const choices = await listTermChoices(visit, item.type)
  const parts = { item, type, values, failure, choices, settles }
  const atField = [...values.keys()].some((name) => faultOf(parts, name) !== undefined)
  const title = isNew(item) ? `New ${type.name.toLowerCase()}` : item.title || 'Without a title'
  const body = html`${pageHead(title, isNew(item) ? undefined : facts(item), links(visit, item))}
  ${doneBox(doneWords[request.query.get('done') ?? ''])}
  ${conflict.length === 0 && faultBox(failure && !atField ? sentenceOf(failure) : undefined)} ${previewBox(previewUrl)}
  ${conflict.length > 0 && conflictPanel({ names: conflict, stored, values, type })} ${waitingNotice(visit, item)}
  ${mayRun(visit, update) ? entryForm(visit, parts) : undefined} ${!isNew(item) && entryMenu(visit, item)}`
  const status = failure ? formStatus[failure.code] : 200
  const scripts = previewUrl === undefined ? [editorScript] : [editorScript, copyScript]
  return pageReply(visit, status, framed(visit, { title, body, kind: 'full', scripts }), { frames: true })
}

const facts = (item: EditedEntry): Html => html`${statusBadges(item)} ${item.path !== null && html`<code>${item.path}</code>`}`

function links({ request }: SignedIn, item: EditedEntry): HtmlValue {
  if (isNew(item)) return html`<a class="button" href="${linkTo(request, adminPaths.content)}">All content</a>`
  return html`<a class="button" href="${linkTo(request, adminPaths.entryRevisions)}?id=${item.id}">Revisions</a>
    ${isLive(item) && item.url !== null && html`<a class="button" href="${item.url}">View</a>`}`
}

const previewBox = (url: string | undefined): HtmlValue =>
  url !== undefined &&
  html`<section class="notice done" aria-label="Preview link">
    <p>Anyone who has this link sees the page as it is written here, for seven days. Nothing was saved.</p>
    <p class="address">${copyable('the preview link', url)}<a class="button" href="${url}">Open</a></p>
  </section>`

const waitingNotice = ({ request }: SignedIn, item: EditedEntry): HtmlValue =>
  item.staged &&
  html`<p class="notice warn" role="note">
    <strong>Changes wait to be published.</strong> This form has them; visitors see the earlier text.
    <a href="${linkTo(request, adminPaths.entryRevisions)}?id=${item.id}&amp;from=live&amp;to=staged">Compare both</a>
  </p>`

// The form of the editor: the text on one side, everything about the entry on the other.

import { content } from '../../actions/content/index.ts'
import { maxBodyBytes } from '../../content/entries/entry-text.ts'
import type { FormPanel } from '../../content/types/entry-field.ts'
import { attribute, html, type Html, type HtmlValue, raw } from '../../doors/shared/html.ts'
import { csrfField, type Fields, readFields } from '../form.ts'
import { mayRun } from '../navigation.ts'
import { icon } from '../parts/icons.ts'
import { adminPaths, linkTo } from '../paths.ts'
import { editorMoreScript } from '../script.ts'
import type { SignedIn } from '../visit.ts'
import type { MessageKey, Words } from '../words.ts'
import { type EditedEntry, isLive, isNew } from './edited-entry.ts'
import { type FormField, formFields } from './form-fields.ts'
import { faultOf, type FormParts, textIn } from './form-parts.ts'
import { enterOf } from '../account/writing-section.ts'
import { passwordField } from './password-field.ts'
import { languageNames } from './language-names.ts'
import { formKey } from './made-entry.ts'

/** The purpose of the editor's form, and of the requests of its script. */
export const entryPurpose = 'entry'

/** The text of an entry takes up to three times its size in a form; the rest is for the other fields. */
const maxFormBytes = 3 * maxBodyBytes + 1024 ** 2

/** Reads the form of the editor, and the requests of its script. @throws HttpFailure as `readFields` */
export const readEntryForm = (visit: SignedIn): Promise<Fields> => readFields(visit, entryPurpose, maxFormBytes)

/**
 * The form has `autocomplete="off"`, so it shows the stored values. A browser that restored fields after a reload would combine an
 * old text with the current revision, and "back" would create a second entry. The script stores unsaved text on the device. The key
 * of a new entry makes the form create one entry, however often it is sent.
 */
export function entryForm(parts: FormParts): Html {
  const { visit, item, type, settles } = parts
  const { t } = visit
  const fields = formFields(type)
  const inText = fields.filter(({ panel }) => panel === 'text')
  const path = isNew(item) ? `${adminPaths.newEntry}?type=${type.slug}` : `${adminPaths.editEntry}?id=${item.id}`
  return html`<form
    class="entry"
    id="entry"
    method="post"
    action="${linkTo(visit.request, path)}"
    autocomplete="off"
    data-save
    ${scriptFacts(visit, item)}
  >
    ${csrfField(visit, entryPurpose)} ${enterButton(item)}
    <input type="hidden" name="revision" value="${item.revision}" />
    ${isNew(item) && html`<input type="hidden" name="key" value="${formKey(visit)}" />`}
    <input type="hidden" name="shown" value="${boxesOf(fields, parts)}" />
    <input type="hidden" name="settles" value="${settles.join(' ')}" />
    <div class="entry-text">${inText.map(({ markup }) => markup(parts))}</div>
    <div class="entry-side">
      ${actions(parts)} ${item.status !== 'trash' && mayRun(visit, content.preview) && previewPanel(t)}
      ${panels.map((panel) => sidePanel(panel, parts, fields))}
    </div>
  </form>`
}

/** The names of fields whose checkboxes may all be empty. A browser sends nothing for an empty checkbox. */
const boxesOf = (fields: readonly FormField[], { choices }: FormParts): string =>
  fields
    .filter(({ name, isBox }) => isBox && (name !== 'terms' || choices.length > 0))
    .map(({ name }) => name)
    .join(' ')

/** The data for the script of the editor. */
const scriptFacts = ({ request, session }: SignedIn, { id, status, updated_at: at }: EditedEntry): Html =>
  html`${attribute('data-entry', id)} ${attribute('data-status', status)} ${attribute('data-updated', at)}
  ${attribute('data-autosave', linkTo(request, adminPaths.autosaveEntry))}
  ${attribute('data-preview', linkTo(request, adminPaths.previewEntry))}
  ${attribute('data-upload', linkTo(request, adminPaths.uploadImage))}
  ${attribute('data-paste', linkTo(request, adminPaths.pasteHtml))} ${attribute('data-enter', enterOf(session.account))}
  ${attribute('data-links', linkTo(request, adminPaths.findLinks))}
  ${attribute('data-frame', linkTo(request, adminPaths.framePicture))}
  ${attribute('data-sections', linkTo(request, adminPaths.sectionKinds))}
  ${attribute('data-more', linkTo(request, editorMoreScript.path))}
  ${attribute('data-more-integrity', editorMoreScript.integrity)}`

/** The button for Enter in a line: it saves, and neither publishes nor searches. A browser takes the first button of a form. */
const enterButton = ({ status }: EditedEntry): HtmlValue =>
  status !== 'trash' &&
  html`<button
    class="unseen"
    name="do"
    value="${status === 'published' ? 'stage' : 'save'}"
    tabindex="-1"
    aria-hidden="true"
  ></button>`

function actions({ visit, item }: FormParts): HtmlValue {
  const { t } = visit
  if (item.status === 'trash') return undefined
  const button = (value: string, label: MessageKey, main = false) =>
    html`<button name="do" value="${value}" ${attribute('class', main ? 'primary' : undefined)}>${t(label)}</button>`
  const mayPublish = mayRun(visit, content.publish)
  const save = isLive(item)
    ? button('stage', 'content.save_later')
    : button('save', item.status === 'scheduled' ? 'content.save' : 'content.save_draft')
  return html`<div class="panel save-bar">
    <p class="actions">
      ${mayPublish && item.status !== 'scheduled' && button('publish', isLive(item) ? 'content.publish_changes' : 'content.publish', true)}
      ${save}
    </p>
    <p class="help" role="status" data-saved>${t(isLive(item) ? 'content.live_help' : 'content.draft_help')}</p>
  </div>`
}

/** The panel to which the script adds a button that shows the page next to the text. */
const previewPanel = (t: Words): Html =>
  html`<div class="panel preview-bar">
    <p class="actions"><button name="do" value="preview">${t('content.preview_button')}</button></p>
    <p class="help">${t('content.preview_help')}</p>
  </div>`

/** A panel next to the text. A panel without fields is not shown. */
interface Panel {
  readonly name: FormPanel
  readonly title: MessageKey
  /** True if the panel is open at first. A panel with a fault or a search is always open. */
  isOpen?(item: EditedEntry): boolean
  /** True if the site has no use for the panel. */
  isMissing?(parts: FormParts): boolean
  before?(parts: FormParts): Html
  after?(parts: FormParts): Html
}

const panels: readonly Panel[] = [
  { name: 'publication', title: 'content.publication', isOpen: () => true, after: passwordField },
  { name: 'address', title: 'content.address_and_summary', isOpen: isNew },
  { name: 'terms', title: 'content.terms' },
  { name: 'cover', title: 'content.cover' },
  { name: 'search_engines', title: 'content.search_engines', before: searchResult },
  { name: 'comments', title: 'shell.comments', isOpen: ({ comments }) => comments !== null },
  {
    name: 'language',
    title: 'content.language',
    isOpen: () => true,
    isMissing: ({ visit }) => visit.site.settings.values.languages.length === 0,
    after: translations,
  },
]

function sidePanel(
  { name, title, isOpen, isMissing, before, after }: Panel,
  parts: FormParts,
  fields: readonly FormField[],
): HtmlValue {
  const { visit, item } = parts
  const inPanel = fields.filter(({ panel }) => panel === name)
  const controls = inPanel.map(({ markup }) => markup(parts)).filter((control) => control !== undefined && control !== false)
  if (controls.length === 0 || isMissing?.(parts)) return undefined
  const open = isOpen?.(item) === true || inPanel.some((field) => isAsked(parts, field.name))
  return html`<details class="panel" ${raw(open ? 'open' : '')}>
    <summary><h2>${visit.t(title)}</h2></summary>
    ${before?.(parts)} ${controls} ${after?.(parts)}
  </details>`
}

/** Returns true for a field with a fault or a search. */
const isAsked = (parts: FormParts, name: string): boolean =>
  faultOf(parts.visit.t, parts, name) !== undefined || parts.references.found?.name === name

function searchResult({ visit: { site, request, t }, item, values }: FormParts): Html {
  const title = textIn(values, 'seo.title') || textIn(values, 'title') || t('content.title')
  const description = textIn(values, 'seo.description') || textIn(values, 'excerpt') || t('content.description_missing')
  const url = item.url ?? `${request.host}/…`
  return html`<div class="search-result" aria-label="${t('content.search_result')}" role="group">
    <p class="result-url">${site.settings.values.site_title} · ${url.replace(/^https?:\/\//, '')}</p>
    <p class="result-title" data-result="title">${title}</p>
    <p class="result-text" data-result="text">${description}</p>
  </div>`
}

/** The translations of the entry, with links that create the missing ones. */
function translations({ visit: { site, request, t }, item }: FormParts): Html {
  const { language, languages } = site.settings.values
  const nameOf = languageNames(t)
  const taken = new Set(item.translations.map((one) => one.language))
  const free = [language, ...languages].filter((one) => !taken.has(one) && one !== (item.locale ?? language))
  return html`<ul class="lines">
    ${item.translations.map(({ id, language: tag, title }) => html`<li><a href="${linkTo(request, adminPaths.editEntry)}?id=${id}">${title}</a> <small>${nameOf(tag)}</small></li>`)}
    ${
      !isNew(item) &&
      free.map(
        (tag) =>
          html`<li>
            <a
              href="${linkTo(request, adminPaths.newEntry)}?type=${item.type}&amp;translation_of=${item.id}&amp;locale=${tag === language ? '' : tag}"
              >${icon('view')} ${t('content.translate_into', { language: nameOf(tag) })}</a
            >
          </li>`,
      )
    }
  </ul>`
}
